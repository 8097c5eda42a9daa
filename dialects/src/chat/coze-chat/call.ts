import { isObject, type JsonObject } from '../../core/json'
import type { Message, NeutralCall, Part } from '../../core/neutral/call'
import type { Warn } from '../../core/neutral/codec'
import { partLabel } from '../../core/neutral/left-out'
import { written } from '../../core/neutral/read'
import { conversationOf, defaultUser, latest, warnOfUnsaid } from '../../core/shared/application-call'

/**
 * A call of a bot, which is named as the model. Its memory of the talk goes on where the client names a conversation; else it is told the
 * whole talk. https://www.coze.cn/open/docs/developer_guides/chat_v3
 */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsaid(call, warn)
  const { custom_variables: variables, parameters } = call.own?.members ?? {}
  const conversation = conversationOf(call)
  const messages = conversation === '' ? call.messages : latest(call.messages)
  return written({
    conversation_id: conversation || undefined,
    bot_id: call.model,
    user_id: call.user ?? defaultUser,
    stream: true,
    auto_save_history: true,
    additional_messages: messages.flatMap((message) => writeMessage(message, warn)),
    custom_variables: isObject(variables) ? variables : undefined,
    parameters: isObject(parameters) ? parameters : undefined,
  })
}

/** Instructions come as what the user said: there is no third speaker. */
function writeMessage({ role, parts }: Message, warn: Warn): JsonObject[] {
  const shown = parts.flatMap((part) => writePart(part, warn))
  if (shown.length === 0) return []
  const speaker = role === 'assistant' ? { role: 'assistant', type: 'answer' } : { role: 'user', type: 'question' }
  const isText = shown.every(({ type }) => type === 'text')
  const content = isText ? shown.map(({ text }) => text).join('\n') : JSON.stringify(shown)
  return [{ ...speaker, content_type: isText ? 'text' : 'object_string', content }]
}

const fileKinds = { image: 'image', file: 'file', audio: 'audio' } as const

function writePart(part: Part, warn: Warn): JsonObject[] {
  if (part.kind === 'text' || part.kind === 'refusal')
    return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.kind === 'tool-call') return [{ type: 'text', text: `${part.name}(${part.argumentsText})` }]
  if (part.kind === 'tool-result') return part.parts.flatMap((one) => writePart(one, warn))
  if (part.kind === 'image' || part.kind === 'file' || part.kind === 'audio') {
    if (part.source.kind === 'url') return [{ type: fileKinds[part.kind], file_url: part.source.url }]
    warn('a file without an address')
    return []
  }
  warn(part.kind === 'thinking' ? 'earlier thinking' : part.kind === 'own' ? partLabel(part) : 'a video')
  return []
}
