import type { JsonObject } from '../../../core/json'
import type { FilePart, ImagePart, Message, Part, ToolCallPart, ToolResultPart } from '../../../core/neutral/call'
import { partLabel } from '../../../core/neutral/left-out'
import type { Warn } from '../../../core/neutral/codec'
import { nestedObject, omitUndefined } from '../../../core/neutral/read'

/** The talk; results of tools are messages of their own. */
export const writeMessages = (messages: readonly Message[], takesThinking: boolean, warn: Warn): JsonObject[] =>
  messages.flatMap((message) => {
    if (message.role === 'assistant') return assistantMessage(message.parts, takesThinking, warn)
    if (message.role !== 'user') return plainMessage('system', contentOf(message.parts, warn))
    const results = message.parts.filter((part) => part.kind === 'tool-result')
    const others = message.parts.filter((part) => part.kind !== 'tool-result')
    return [...results.map((result) => toolMessage(result, warn)), ...plainMessage('user', contentOf(others, warn))]
  })

/** Texts alone are one text; an empty list is left out. */
function plainMessage(role: string, content: readonly JsonObject[]): JsonObject[] {
  if (content.length === 0) return []
  const isText = content.every(({ type }) => type === 'text')
  return [{ role, content: isText ? content.map(({ text }) => text).join('') : content }]
}

const contentOf = (parts: readonly Part[], warn: Warn): JsonObject[] => parts.flatMap((part) => writePart(part, warn))

function writePart(part: Part, warn: Warn): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'image':
      return writeImage(part, warn)
    case 'file':
      return writeFile(part, warn)
    case 'thinking':
      return []
    default:
      warn(part.kind === 'own' ? partLabel(part) : part.kind)
      return []
  }
}

const details: ReadonlySet<unknown> = new Set(['auto', 'low', 'high'])

function writeImage({ source, detail }: ImagePart, warn: Warn): JsonObject[] {
  if (source.kind === 'id') {
    warn('a picture that another vendor keeps')
    return []
  }
  const url = source.kind === 'url' ? source.url : `data:${source.mime};base64,${source.data}`
  return [{ type: 'image_url', image_url: omitUndefined({ url, detail: details.has(detail) ? detail : undefined }) }]
}

/** A file that is text is shown as text. */
function writeFile({ source, name }: FilePart, warn: Warn): JsonObject[] {
  if (source.kind === 'data' && /^text\/|^application\/(?:json|xml|yaml)\b/.test(source.mime)) {
    const text = Buffer.from(source.data, 'base64').toString('utf8')
    return [{ type: 'text', text: name ? `${name}:\n${text}` : text }]
  }
  warn('a file')
  return []
}

function toolMessage({ callId, parts, isError }: ToolResultPart, warn: Warn): JsonObject {
  const text = parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      warn('a picture or file in the result of a tool')
      return ''
    })
    .join('')
  return { role: 'tool', tool_call_id: callId, content: text || (isError ? 'The tool failed.' : 'Done.') }
}

/** What was said before tools were called is their plan. */
function assistantMessage(parts: readonly Part[], takesThinking: boolean, warn: Warn): JsonObject[] {
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const content = contentOf(
    parts.filter(({ kind }) => kind !== 'tool-call'),
    warn,
  )
  const text = content.map((item) => (item['type'] === 'text' ? item['text'] : '')).join('')
  const thought = parts.map((part) => (part.kind === 'thinking' ? part.text : '')).join('')
  const isThinkingSent = takesThinking && (calls.length > 0 || text !== '')
  if (!isThinkingSent && parts.some(({ kind }) => kind === 'thinking')) warn('earlier thinking')
  const thoughts = thought === '' || !isThinkingSent ? [] : [{ type: 'thinking', thinking: thought }]
  if (calls.length > 0)
    return [
      omitUndefined({
        role: 'assistant',
        content: thoughts.length > 0 ? thoughts : undefined,
        tool_plan: text || undefined,
        tool_calls: calls.map((call) => writeToolCall(call, warn)),
      }),
    ]
  if (text === '') return []
  return [{ role: 'assistant', content: thoughts.length > 0 ? [...thoughts, { type: 'text', text }] : text }]
}

function writeToolCall({ id, name, argumentsText, isCustom }: ToolCallPart, warn: Warn): JsonObject {
  const isObject = nestedObject(argumentsText || '{}') !== null
  if (!isObject && !isCustom) warn('arguments of a call that are no JSON object')
  const args = isObject ? argumentsText || '{}' : JSON.stringify({ input: argumentsText })
  return { id, type: 'function', function: { name, arguments: args } }
}
