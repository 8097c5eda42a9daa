import type { JsonObject } from '../../../core/json'
import type { Citation } from '../../../core/neutral/call'
import type { BlockKind, Delta } from '../../../core/neutral/events'
import { jsonTextOf, objectOf, objectsOf, textOf, textOrNull } from '../../../core/neutral/read'

/** A piece of a tool call. */
export interface CallPiece {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly signature: string
  readonly isCustom: boolean
}

export function readCallPiece(call: JsonObject): CallPiece {
  const isCustom = call['type'] === 'custom' || 'custom' in call
  const called = objectOf(isCustom ? call['custom'] : (call['function'] ?? call))
  return {
    id: textOf(call['id']),
    name: textOf(called['name']),
    text: jsonTextOf(isCustom ? called['input'] : called['arguments']),
    signature: textOf(objectOf(objectOf(call['extra_content'])['google'])['thought_signature']),
    isCustom,
  }
}

/** A piece of a thought as OpenRouter writes it: what it belongs to, and what it says. */
export interface ThoughtPiece {
  /** The pieces of one thought share it; null: belongs to no other. */
  readonly key: string | null
  readonly of: BlockKind
  readonly text: string
  readonly signature: string
}

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens; null for what says nothing. */
export function readThoughtPiece(detail: JsonObject): ThoughtPiece | null {
  const { type, index } = detail
  if (type === 'reasoning.encrypted') {
    const signature = textOf(detail['data'])
    return signature === '' ? null : { key: null, of: { kind: 'redacted-thinking' }, text: '', signature }
  }
  const isSummary = type === 'reasoning.summary'
  const text = textOf(isSummary ? detail['summary'] : detail['text'])
  const signature = textOf(detail['signature'])
  const id = textOrNull(detail['id'])
  if (text === '' && signature === '') return null
  return {
    key: `thinking ${isSummary} ${typeof index === 'number' ? index : ''}`,
    of: { kind: 'thinking', ...(isSummary && { isSummary }), ...(id && { id }) },
    text,
    signature,
  }
}

/** An annotation; the places are those in the whole content, of which the text begins at `from`. Null when it cites no page. */
export function readAnnotation(annotation: JsonObject, from: number): Citation | null {
  const cited = objectOf(annotation['url_citation'])
  const url = textOrNull(cited['url'])
  if (url === null) return null
  const title = textOrNull(cited['title'])
  const { start_index: start, end_index: end } = cited
  const isPlaced = typeof start === 'number' && typeof end === 'number' && start >= from && end >= start
  return { url, ...(title && { title }), ...(isPlaced && { start: start - from, end: end - from }) }
}

/** A sound or a piece of it; null when there is none. */
export function readAudioPiece(audio: JsonObject): Delta | null {
  const data = textOf(audio['data'])
  const transcript = textOrNull(audio['transcript'])
  const id = textOrNull(audio['id'])
  if (data === '' && transcript === null) return null
  return { kind: 'media', mime: 'audio/wav', data, ...(transcript && { transcript }), ...(id && { id }) }
}

/** What Mistral's models think, as a part of their content. */
export const readThinkingPart = (part: JsonObject): string =>
  typeof part['thinking'] === 'string'
    ? part['thinking']
    : objectsOf(part['thinking'])
        .map((piece) => textOf(piece['text']))
        .join('')

/** Whether a delta has anything but these members. */
export function hasOtherMembers(delta: JsonObject, excluded: ReadonlySet<string>): boolean {
  for (const name in delta) {
    const value = delta[name]
    if (value !== null && value !== '' && !excluded.has(name)) return true
  }
  return false
}

export const callMembers: ReadonlySet<string> = new Set(['role', 'tool_calls', 'function_call'])
/** Citations belong to a text. */
export const nonTextMembers: ReadonlySet<string> = new Set([...callMembers, 'annotations'])

/** What a delta may say. */
export const knownMembers: ReadonlySet<string> = new Set([
  ...nonTextMembers,
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
  'audio',
  'images',
])

/** Words stand in a part of any kind; a part of an unknown kind without them has something that cannot be read. */
export function isKnownPart(part: JsonObject): boolean {
  if (typeof part['text'] === 'string' || 'thinking' in part || 'image_url' in part) return true
  return typeof part['refusal'] === 'string' || Object.keys(part).length === 0
}

/** A call that is neither a function nor free text, as a tool that the host ran. */
export const isUnknownCall = (call: JsonObject): boolean =>
  typeof call['type'] === 'string' &&
  call['type'] !== '' &&
  call['type'] !== 'function' &&
  !('custom' in call || 'function' in call || 'name' in call || 'arguments' in call || call['type'] === 'custom')

const kindsOfThought: ReadonlySet<unknown> = new Set([
  undefined,
  'reasoning.text',
  'reasoning.summary',
  'reasoning.encrypted',
  'thinking',
  'redacted_thinking',
])

export const isKnownThought = ({ type, text }: JsonObject): boolean => kindsOfThought.has(type) || textOf(text) !== ''

/** A thought as LiteLLM writes it: a block of Anthropic's, or a piece of one. https://docs.litellm.ai/docs/reasoning_content */
export function readThoughtBlock(block: JsonObject): ThoughtPiece | null {
  if (block['type'] === 'redacted_thinking')
    return readThoughtPiece({ type: 'reasoning.encrypted', data: block['data'] })
  return readThoughtPiece({ ...block, type: 'reasoning.text', text: block['thinking'] })
}
