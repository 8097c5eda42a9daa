import { isObject, type JsonObject } from '../../core/json'
import { jsonTextOf, parsedObject, textOf } from '../../core/neutral/read'
import { audioUsage, TokenCounts } from '../../core/shared/usage'
import { type ReportedUsage, noUsage } from '../../core/usage'

export { sessionFacts, usualSession, type SessionFacts } from './session-facts'

/** What a session reports that the gateway acts on. */
export type SessionReport =
  | { readonly kind: 'session'; readonly session: JsonObject }
  | { readonly kind: 'response-created'; readonly responseId: string }
  | ResponseDone
  /** A part of a transcript. */
  | { readonly kind: 'transcript'; readonly partId: string; readonly text: string }
  | InputTranscribed
  | { readonly kind: 'transcription-failed'; readonly partId: string }
  /** A part of a response: text, or the length of base64 audio. */
  | { readonly kind: 'output'; readonly text: string; readonly audioLength: number }
  /** The input of a turn has ended. Its transcript has the same id. */
  | { readonly kind: 'committed'; readonly partId: string }
  /** The text is the vendor's and may be anything. `eventId` is that of the client's event that caused it; null where it is not known. */
  | { readonly kind: 'error'; readonly eventId: string | null }

export interface ResponseDone {
  readonly kind: 'response-done'
  readonly responseId: string
  /** Null: missing or impossible. */
  readonly usage: ReportedUsage | null
  /** The complete text or transcript. */
  readonly text: string
  readonly toolCalls: number
  /** It ended with calls of tools, and its usage comes with that of a later response, if at all. */
  readonly isUsageLate: boolean
  /** The model did not respond because the vendor failed. */
  readonly isFailed: boolean
}

/** The input was transcribed, which is charged at the price of the transcription model. */
export interface InputTranscribed {
  readonly kind: 'transcribed'
  /** Empty where the upstream does not say what it is the transcript of. */
  readonly partId: string
  readonly usage: ReportedUsage | null
  readonly text: string
}

/** The type, where it comes first or after the id, as in all events of OpenAI. */
const leadingType = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([^"\\]*)"/

/** The audio comes in most of the messages and nearly all of the bytes: it is not parsed. */
const isAudio = (type: string): boolean => type === 'response.output_audio.delta' || type === 'response.audio.delta'

/** Returns the part of a message that matters for charges; null for all other messages and for texts that are not events. */
export function readSessionReport(text: string): SessionReport | null {
  const type = leadingType.exec(text)?.[1]
  if (type === undefined) return reportOf(parsedObject(text) ?? {})
  if (isAudio(type)) return { kind: 'output', text: '', audioLength: text.length }
  return isReport(type) ? reportOf(parsedObject(text) ?? {}) : null
}

const isReport = (type: string): boolean => Object.hasOwn(readers, type) || type.endsWith('.delta')

function reportOf(event: JsonObject): SessionReport | null {
  const { type } = event
  if (typeof type !== 'string') return null
  if (isAudio(type)) return { kind: 'output', text: '', audioLength: textOf(event['delta']).length }
  if (type.startsWith('response.') && type.endsWith('.delta'))
    return { kind: 'output', text: textOf(event['delta']), audioLength: 0 }
  return Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? null) : null
}

const sessionReport = ({ session }: JsonObject): SessionReport | null =>
  isObject(session) ? { kind: 'session', session } : null

const transcription = 'conversation.item.input_audio_transcription'
/** An item has parts, each with a transcript of its own. */
const partOf = ({ item_id: item, content_index: index }: JsonObject) => ({
  partId:
    typeof item === 'string' && item.length <= maxIdLength ? `${item}/${typeof index === 'number' ? index : 0}` : '',
})

const readers: Readonly<Record<string, (event: JsonObject) => SessionReport | null>> = {
  'session.created': sessionReport,
  'session.updated': sessionReport,
  'transcription_session.created': sessionReport,
  'transcription_session.updated': sessionReport,
  error: ({ error }) => {
    const id = isObject(error) ? error['event_id'] : null
    return { kind: 'error', eventId: typeof id === 'string' ? id : null }
  },
  'input_audio_buffer.committed': (event) => ({ kind: 'committed', ...partOf(event) }),
  'response.created': (event) => ({ kind: 'response-created', responseId: idOf(event) }),
  'response.done': doneReport,
  [`${transcription}.delta`]: (event) =>
    isIncluded(event['usage']) ? null : { kind: 'transcript', ...partOf(event), text: textOf(event['delta']) },
  [`${transcription}.completed`]: (event) =>
    isIncluded(event['usage'])
      ? null
      : {
          kind: 'transcribed',
          ...partOf(event),
          usage: audioUsage(event['usage']),
          text: textOf(event['transcript']),
        },
  [`${transcription}.failed`]: (event) => ({ kind: 'transcription-failed', ...partOf(event) }),
}

/** The vendor includes the transcription in the usage of the response. */
const isIncluded = (usage: unknown): boolean => isObject(usage) && usage['total_tokens'] === 0

const idOf = ({ response }: JsonObject): string => (isObject(response) ? responseIdOf(response) : '')

/** Ids are kept for the time of the session: what is longer than any counts as none. */
const maxIdLength = 256
const responseIdOf = ({ id }: JsonObject): string => {
  const text = textOf(id)
  return text.length > maxIdLength ? '' : text
}

function doneReport(event: JsonObject): ResponseDone {
  const response = isObject(event['response']) ? event['response'] : {}
  const items = listOf(response['output'])
  const toolCalls = items.filter(({ type }) => type === 'function_call').length
  return {
    kind: 'response-done',
    responseId: responseIdOf(response),
    usage: responseUsage(response['usage']),
    text: items.flatMap(textsOfItem).join('\n'),
    toolCalls,
    isUsageLate: response['usage'] === null && toolCalls > 0,
    isFailed: response['status'] === 'failed',
  }
}

function textsOfItem(item: JsonObject): string[] {
  const written = [jsonTextOf(item['arguments'])]
  for (const part of listOf(item['content'])) written.push(textOf(part['text']) || textOf(part['transcript']))
  return written.filter((text) => text !== '')
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const detailsOf = (usage: JsonObject, name: string): JsonObject => {
  const details = usage[name] ?? usage[name.replace('token_', 'tokens_')]
  return isObject(details) ? details : {}
}

/**
 * Returns the usage of one response; null when it is missing or impossible. Tokens that came from the cache are counted once, as such.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
function responseUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  const counts = new TokenCounts()
  const prompt = detailsOf(usage, 'input_token_details')
  const cached = isObject(prompt['cached_tokens_details']) ? prompt['cached_tokens_details'] : {}
  const completion = detailsOf(usage, 'output_token_details')
  const read: ReportedUsage = {
    ...noUsage,
    promptTokens: counts.of(usage['input_tokens'], usage['prompt_tokens']),
    completionTokens: counts.of(usage['output_tokens'], usage['completion_tokens']),
    cachedTokens: counts.of(prompt['cached_tokens']),
    cachedAudioTokens: counts.of(cached['audio_tokens']),
    imageTokens: countUncached(counts, prompt['image_tokens'], cached['image_tokens']),
    audioInputTokens: countUncached(counts, prompt['audio_tokens'], cached['audio_tokens']),
    audioOutputTokens: counts.of(completion['audio_tokens']),
    reasoningTokens: counts.of(completion['reasoning_tokens']),
  }
  return counts.isWrong || read.promptTokens + read.completionTokens === 0 ? null : read
}

const countUncached = (counts: TokenCounts, all: unknown, cached: unknown): number =>
  Math.max(counts.of(all) - counts.of(cached), 0)
