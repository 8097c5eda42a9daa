import type { JsonObject } from '../../../core/json'
import type {
  FilePart,
  ImagePart,
  Message,
  OwnPart,
  Part,
  Role,
  Source,
  ThinkingPart,
  ToolCallPart,
} from '../../../core/neutral/call'
import { jsonTextOf, objectOf, objectsOf, partsOf, readDataUrl, textOf, textOrNull } from '../../../core/neutral/read'
import { partLabel, shownParts } from '../../../core/neutral/left-out'
import { fileMime, isDocument } from '../../../core/shared/prompt-media'
import { cacheOf } from '../cache-mark'

const roles: readonly Role[] = ['system', 'developer', 'user', 'assistant']

/** What is known while a conversation is read: the names of the calls so far by their ids, and those that no result has answered. */
interface Reading {
  readonly names: Map<string, string>
  readonly unanswered: Set<string>
  /** What could not be read, as warnings name it. */
  readonly leftOut: string[]
}

/** The conversation. Results of tools become parts of a user's message, with the names the calls before gave. */
export function readMessages(messages: readonly JsonObject[], leftOut: string[]): Message[] {
  const calls: Reading = { names: new Map(), unanswered: new Set(), leftOut }
  return messages.map((message) => readMessage(message, calls))
}

function readMessage(message: JsonObject, calls: Reading): Message {
  const { role } = message
  if (role === 'tool' || role === 'function') return { role: 'user', parts: [readResult(message, calls)] }
  const known = roles.find((candidate) => candidate === role) ?? 'user'
  const parts = known === 'assistant' ? assistantParts(message, calls) : contentParts(message['content'])
  for (const part of parts) {
    if (part.kind !== 'tool-call') continue
    calls.names.set(part.id, part.name)
    calls.unanswered.add(part.id)
  }
  const name = textOrNull(message['name'])
  return { role: known, parts: markLastPart(parts, message), ...(name && { name }) }
}

/** A mark on the message itself is meant for its last part. */
function markLastPart(parts: readonly Part[], message: JsonObject): readonly Part[] {
  const mark = cacheOf(message)
  const last = parts.at(-1)
  if (!mark.cache || !last || last.kind === 'thinking' || last.kind === 'refusal' || last.kind === 'own') return parts
  return [...parts.slice(0, -1), { ...last, ...mark }]
}

/** A result that names no call answers the first one that waits. A mark within is meant for the whole. */
function readResult(message: JsonObject, { names, unanswered, leftOut }: Reading): Part {
  const callId = textOf(message['tool_call_id']) || waitingCall(textOf(message['name']), names, unanswered)
  unanswered.delete(callId)
  const parts = shownParts(contentParts(message['content']), leftOut)
  const inner = parts.findLast(({ cache }) => cache !== undefined)?.cache
  return {
    kind: 'tool-result',
    callId,
    name: names.get(callId) ?? textOf(message['name']),
    parts: parts.map(({ cache: _cache, ...part }) => part),
    isError: false,
    ...(inner && { cache: inner }),
    ...cacheOf(message),
  }
}

/** The call that a result without an id answers: the first of its name that waits, or the first of all. */
function waitingCall(name: string, names: ReadonlyMap<string, string>, unanswered: ReadonlySet<string>): string {
  const [first = ''] = unanswered
  if (name === '') return first
  for (const id of unanswered) if (names.get(id) === name) return id
  return name
}

function assistantParts(message: JsonObject, { names, leftOut }: Reading): Part[] {
  const refusal = textOrNull(message['refusal'])
  const legacy = objectOf(message['function_call'])
  const legacyName = textOf(legacy['name'])
  const audio = textOrNull(objectOf(message['audio'])['id'])
  return [
    ...thinkingParts(message, leftOut),
    ...contentParts(message['content']),
    ...(refusal ? [{ kind: 'refusal', text: refusal } as const] : []),
    ...(audio ? [{ kind: 'audio', source: { kind: 'id', id: audio }, id: audio } as const] : []),
    ...objectsOf(message['tool_calls']).map((call, index) => readToolCall(call, `call_${names.size + index}`)),
    ...(legacyName
      ? [
          {
            kind: 'tool-call',
            id: legacyName,
            name: legacyName,
            argumentsText: jsonTextOf(legacy['arguments']),
          } as const,
        ]
      : []),
  ]
}

/** OpenRouter's details carry signatures; the plain text of most vendors does not. */
function thinkingParts(message: JsonObject, leftOut: string[]): ThinkingPart[] {
  const details = objectsOf(message['reasoning_details']).flatMap((detail) => readDetail(detail, leftOut))
  if (details.length > 0) return details
  const blocks = objectsOf(message['thinking_blocks']).flatMap((block) => readBlock(block, leftOut))
  if (blocks.length > 0) return blocks
  const text = textOrNull(message['reasoning_content']) ?? textOrNull(message['reasoning'])
  return text ? [{ kind: 'thinking', text }] : []
}

function readDetail(detail: JsonObject, leftOut: string[]): ThinkingPart[] {
  const signature = textOrNull(detail['signature'])
  const id = textOrNull(detail['id'])
  const named = { ...(id && { id }) }
  const signed = { ...(signature && { signature }), ...named }
  switch (detail['type']) {
    case 'reasoning.text':
      return [{ kind: 'thinking', text: textOf(detail['text']), ...signed }]
    case 'reasoning.summary':
      return [{ kind: 'thinking', text: textOf(detail['summary']), isSummary: true, ...signed }]
    case 'reasoning.encrypted':
      return [{ kind: 'thinking', text: '', isRedacted: true, signature: textOf(detail['data']), ...named }]
    default:
      return leaveOut(detail, leftOut)
  }
}

/** LiteLLM's clients send thoughts back as Anthropic's blocks. */
function readBlock(block: JsonObject, leftOut: string[]): ThinkingPart[] {
  const { type, thinking, data, signature } = block
  if (type === 'redacted_thinking') return [{ kind: 'thinking', text: '', isRedacted: true, signature: textOf(data) }]
  if (type !== 'thinking') return leaveOut(block, leftOut)
  const signed = textOrNull(signature)
  return [{ kind: 'thinking', text: textOf(thinking), ...(signed && { signature: signed }) }]
}

function leaveOut(value: JsonObject, leftOut: string[]): [] {
  leftOut.push(partLabel({ kind: 'own', dialect: 'reasoning', value }))
  return []
}

/** One of an unknown kind has no name here. */
function readToolCall(call: JsonObject, fallbackId: string): ToolCallPart | OwnPart {
  const google = objectOf(objectOf(call['extra_content'])['google'])
  const signature = textOrNull(google['thought_signature'])
  const isCustom = call['type'] === 'custom'
  const called = objectOf(isCustom ? call['custom'] : (call['function'] ?? call))
  if (textOf(called['name']) === '' && call['type'] !== 'function')
    return { kind: 'own', dialect: 'openai-chat', value: call }
  return {
    kind: 'tool-call',
    id: textOf(call['id']) || fallbackId,
    name: textOf(called['name']),
    argumentsText: jsonTextOf(isCustom ? called['input'] : called['arguments']),
    ...(signature && { signature }),
    ...(isCustom && { isCustom }),
  }
}

function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return partsOf(content).flatMap((part) => readPart(part))
}

function readPart(part: JsonObject): Part[] {
  const mark = cacheOf(part)
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [{ kind: 'text', text: textOf(part['text']), ...mark }]
    case 'refusal':
      return [{ kind: 'refusal', text: textOf(part['refusal']) }]
    case 'image_url':
    case 'input_image':
      return [{ ...readImage(part['image_url']), ...mark }]
    case 'input_audio':
      return [{ ...readAudio(objectOf(part['input_audio'])), ...mark }]
    case 'video_url':
      return [{ kind: 'video', source: sourceOf(textOf(objectOf(part['video_url'])['url'])), ...mark }]
    case 'file':
      return [{ ...readFile(objectOf(part['file'])), ...mark }]
    case 'input_file':
      return [{ ...readFile({ ...part, file_data: part['file_data'] ?? part['file_url'] }), ...mark }]
    default:
      return [{ kind: 'own', dialect: 'openai-chat', value: part }]
  }
}

/** An address, or what a data URL holds. */
function sourceOf(url: string): Source {
  const data = readDataUrl(url)
  return data ? { kind: 'data', ...data } : { kind: 'url', url }
}

/** Many clients show documents as images, which other vendors take apart. */
function readImage(image: unknown): ImagePart | FilePart {
  const described = objectOf(image)
  const source = sourceOf(typeof image === 'string' ? image : textOf(described['url']))
  if (isDocument(source)) return { kind: 'file', source }
  const detail = textOrNull(described['detail'])
  return { kind: 'image', source, ...(detail && { detail }) }
}

const readAudio = (audio: JsonObject): Part => ({
  kind: 'audio',
  source: { kind: 'data', data: textOf(audio['data']), mime: `audio/${textOf(audio['format']) || 'wav'}` },
})

const withFileMime = (source: Source, name: string | null): Source =>
  source.kind === 'data' ? { ...source, mime: fileMime(name, source.mime) } : source

function readFile(file: JsonObject): FilePart {
  const name = textOrNull(file['filename'])
  const id = textOrNull(file['file_id'])
  const data = textOf(file['file_data'])
  const source: Source = id
    ? { kind: 'id', id }
    : data.startsWith('data:') || /^https?:/.test(data)
      ? withFileMime(sourceOf(data), name)
      : { kind: 'data', data, mime: fileMime(name) }
  return { kind: 'file', source, ...(name && { name }) }
}
