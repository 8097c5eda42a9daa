import type { JsonObject } from '../../../core/json'
import type { Warn } from '../../../core/neutral/codec'
import { warnOfMembers } from '../../../core/neutral/left-out'
import { objectOf, objectsOf, nestedObject, readDataUrl, textOf, omitUndefined } from '../../../core/neutral/read'
import { spokenMembers } from '../../openai-chat/write/messages'

/** The conversation, from OpenAI's words. https://docs.ollama.com/api/chat */
export function writeMessages(messages: readonly JsonObject[], warn: Warn): JsonObject[] {
  const toolNames = new Map<unknown, string>()
  return messages.map((message) => {
    warnOfMembers(message, spokenMembers, 'messages', warn)
    warnOfCiphers(message, warn)
    const calls = objectsOf(message['tool_calls'])
    for (const call of calls) toolNames.set(call['id'], textOf(objectOf(call['function'])['name']))
    const id = message['tool_call_id']
    const images = imagesIn(message['content'], warn)
    return omitUndefined({
      role: message['role'],
      content: textIn(message['content']),
      thinking: textOf(message['reasoning_content']) || undefined,
      images: images.length > 0 ? images : undefined,
      tool_calls: calls.length > 0 ? calls.map(writeToolCall) : undefined,
      tool_name: id === undefined ? undefined : toolNames.get(id),
      tool_call_id: id,
    })
  })
}

/** Thoughts go as words alone. */
function warnOfCiphers({ reasoning_details: details }: JsonObject, warn: Warn): void {
  if (objectsOf(details).some(({ type }) => type === 'reasoning.encrypted')) warn('redacted thinking')
}

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objectsOf(content)
        .map(({ text }) => textOf(text))
        .join('')

/** Plain base64: the server loads no addresses. */
function imagesIn(content: unknown, warn: Warn): string[] {
  return objectsOf(content).flatMap((part) => {
    if (part['type'] === 'text') return []
    const inline = part['type'] === 'image_url' ? readDataUrl(textOf(objectOf(part['image_url'])['url'])) : null
    if (inline) return [inline.data]
    warn(part['type'] === 'image_url' ? 'a picture that is given by its address' : textOf(part['type']))
    return []
  })
}

/** The arguments are an object. */
function writeToolCall(call: JsonObject): JsonObject {
  const { name, arguments: text } = objectOf(call['function'])
  return { id: call['id'], function: { name, arguments: nestedObject(textOf(text)) ?? {} } }
}
