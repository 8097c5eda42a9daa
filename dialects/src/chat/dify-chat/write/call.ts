import { isObject, type JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { partLabel } from '../../../core/neutral/left-out'
import { omitUndefined } from '../../../core/neutral/read'
import { conversationOf, defaultUser, latest, warnOfUnsaid } from '../../../core/shared/application-call'

/**
 * A call of an application. Its own memory of the talk goes on where the client names a conversation; else the whole talk is
 * the question. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message
 */
export function writeCall(call: NeutralCall, warn: Warn): JsonObject {
  warnOfUnsaid(call, warn)
  const members = call.own?.members ?? {}
  const conversation = conversationOf(call)
  const messages = conversation === '' ? call.messages : latest(call.messages)
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => filesOf(part)).flatMap((part) => writeFile(part, warn)),
  )
  return omitUndefined({
    inputs: isObject(members['inputs']) ? members['inputs'] : {},
    query: writeQuery(messages, warn),
    response_mode: 'streaming',
    conversation_id: conversation || undefined,
    user: call.user ?? defaultUser,
    auto_generate_name: false,
    files: files.length > 0 ? files : undefined,
  })
}

const speakers = { system: 'SYSTEM', developer: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' } as const

/** One message as it is, several under the names of their speakers. */
function writeQuery(messages: readonly Message[], warn: Warn): string {
  const reported = messages.flatMap(({ role, parts }) => {
    const text = parts
      .map((part) => textIn(part, warn))
      .filter((one) => one !== '')
      .join('\n')
    return text === '' ? [] : [{ role, text }]
  })
  const [only, ...more] = reported
  if (only !== undefined && more.length === 0) return only.text
  return reported.map(({ role, text }) => `${speakers[role]}:\n${text}`).join('\n\n')
}

function textIn(part: Part, warn: Warn): string {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text
  if (part.kind === 'tool-call') return `${part.name}(${part.argumentsText})`
  if (part.kind === 'tool-result') return part.parts.map((shown) => textIn(shown, warn)).join('')
  // Files have a list of their own.
  if (part.kind === 'own') warn(partLabel(part))
  if (part.kind === 'thinking') warn('earlier thinking')
  return ''
}

const fileKinds = { image: 'image', file: 'document', audio: 'audio', video: 'video' } as const

/** A part, or those that a tool gave back. */
const filesOf = (part: Part): readonly Part[] => (part.kind === 'tool-result' ? part.parts : [part])

/** Files by their address; the vendor takes no others without a call of their own. */
function writeFile(part: Part, warn: Warn): JsonObject[] {
  if (part.kind !== 'image' && part.kind !== 'file' && part.kind !== 'audio' && part.kind !== 'video') return []
  const { source } = part
  if (source.kind === 'url') return [{ type: fileKinds[part.kind], transfer_method: 'remote_url', url: source.url }]
  warn('a file without an address')
  return []
}
