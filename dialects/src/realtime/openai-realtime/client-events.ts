import { DialectError } from '../../core/dialect-error'
import { isObject, type JsonObject } from '../../core/json'
import { scanJson, type StructureLimits } from '../../core/json-text'
import { checkNames, type KnownNames } from '../../core/shared/known-names'

/** A message of a client in a session. */
export type ClientEvent =
  /** Recorded sound, of which only the length of the base64 text is known. */
  | { readonly kind: 'audio'; readonly audioLength: number }
  | { readonly kind: 'event'; readonly type: string; readonly event: JsonObject }
  /** Not an event, or one in which a name is given twice: readers differ in which of the two they take. */
  | { readonly kind: 'malformed' }
  /** Nested more deeply, or with more structure, than any event. */
  | { readonly kind: 'too-complex' }
  /** Longer than any event but recorded sound. */
  | { readonly kind: 'too-large' }
  /** A name that some upstreams take for another one. */
  | { readonly kind: 'ambiguous'; readonly error: DialectError }

/** A configuration with a thousand tools is some 50,000 parts. The dearest event within these limits takes 20 ms to parse. */
const eventLimits: StructureLimits = { depth: 128, parts: 100_000, commas: 400_000 }
/** An item may have a picture or a minute of speech. */
const maxEventLength = 4 * 1024 * 1024
const appended = 'input_audio_buffer.append'

const eventId = /"event_id"\s*:\s*"[\w.:-]*"\s*,\s*/y
const audioType = /"type"\s*:\s*"input_audio_buffer\.append"\s*,\s*/y
/** In the order of an event of recorded sound. An id may stand before or behind the type. */
const beforeAudio: readonly { readonly pattern: RegExp; readonly isOptional: boolean }[] = [
  { pattern: /\s*\{\s*/y, isOptional: false },
  { pattern: eventId, isOptional: true },
  { pattern: audioType, isOptional: false },
  { pattern: eventId, isOptional: true },
  { pattern: /"audio"\s*:\s*"/y, isOptional: false },
]
const base64Text = /[A-Za-z0-9+/=_-]*/y
const endOfEvent = /"\s*\}\s*$/y

/**
 * Returns the length of the audio of a message that is exactly an id, the type and base64 text: nothing in it needs parsing. Null for any
 * other message.
 */
function plainAudioLength(text: string): number | null {
  let at = 0
  for (const { pattern, isOptional } of beforeAudio) {
    pattern.lastIndex = at
    if (pattern.test(text)) at = pattern.lastIndex
    else if (!isOptional) return null
  }
  base64Text.lastIndex = at
  base64Text.test(text)
  endOfEvent.lastIndex = base64Text.lastIndex
  return endOfEvent.test(text) ? base64Text.lastIndex - at : null
}

/** Returns what a client sends. Audio in its usual form is not parsed. */
export function readClientEvent(text: string): ClientEvent {
  const audioLength = plainAudioLength(text)
  if (audioLength !== null) return { kind: 'audio', audioLength }
  const read = readMessage(text, null)
  if (read.kind !== 'message') return read
  const { message } = read
  const { type, audio } = message
  if (typeof type !== 'string') return { kind: 'malformed' }
  if (type === appended && typeof audio === 'string') return { kind: 'audio', audioLength: audio.length }
  return limitSize(text, { kind: 'event', type, event: message })
}

/** Returns an event, unless its text is longer than any. */
export const limitSize = (text: string, event: ClientEvent): ClientEvent =>
  text.length > maxEventLength ? { kind: 'too-large' } : event

type Unreadable = Exclude<ClientEvent, { readonly kind: 'audio' | 'event' | 'too-large' }>

/** Returns a message of a client, parsed within the limits of events; `names` are the members that it may have. */
export function readMessage(
  text: string,
  names: KnownNames | null,
): Unreadable | { readonly kind: 'message'; readonly message: JsonObject } {
  const { exceeded, members } = scanJson(text, eventLimits)
  if (exceeded !== null) return { kind: 'too-complex' }
  let message: unknown
  try {
    message = JSON.parse(text)
    if (!isObject(message) || checkNames(message, names) !== members) return { kind: 'malformed' }
  } catch (error) {
    return error instanceof DialectError ? { kind: 'ambiguous', error } : { kind: 'malformed' }
  }
  return { kind: 'message', message }
}

/** Returns the length of the base64 text of all recordings in the items of an event. */
export function audioLengthOfClientEvent({ item, response }: JsonObject): number {
  const input = isObject(response) ? listOf(response['input']) : []
  const parts = [item, ...input].flatMap((one) => (isObject(one) ? listOf(one['content']) : []))
  return parts.reduce((sum, { audio }) => sum + (typeof audio === 'string' ? audio.length : 0), 0)
}

/** Returns the limit of the tokens of a response that an event requests; null: it has none. Absent: that of the session. */
export function requestedLimit({ response }: JsonObject): number | null | undefined {
  if (!isObject(response)) return undefined
  const reported = response['max_output_tokens'] ?? response['max_response_output_tokens']
  if (reported === undefined) return undefined
  return typeof reported === 'number' && reported > 0 ? reported : null
}

/** Returns everything in an event that a person may have written. */
export function textsOfClientEvent({ session, item, response }: JsonObject): string[] {
  const texts: string[] = []
  const add = (value: unknown) => {
    if (typeof value === 'string' && value !== '') texts.push(value)
  }
  /** A variable of a stored prompt: a text, or a part of a message. */
  const addValue = (value: unknown) => add(isObject(value) ? value['text'] : value)
  const addItem = (one: unknown) => {
    if (!isObject(one)) return
    add(one['output'])
    add(one['arguments'])
    for (const part of listOf(one['content'])) {
      add(part['text'])
      add(part['transcript'])
    }
  }
  const addTranscription = (reported: unknown) => isObject(reported) && add(reported['prompt'])
  for (const holder of [session, response]) {
    if (!isObject(holder)) continue
    const { instructions, prompt, audio, input_audio_transcription: ofBeta } = holder
    add(instructions)
    if (isObject(prompt) && isObject(prompt['variables'])) Object.values(prompt['variables']).forEach(addValue)
    if (isObject(audio) && isObject(audio['input'])) addTranscription(audio['input']['transcription'])
    addTranscription(ofBeta)
  }
  addItem(item)
  if (isObject(response)) listOf(response['input']).forEach(addItem)
  return texts
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
