import { DialectError, isObject, withoutForeignReasoning, type JsonObject } from '@tollgate/dialects'
import { refusedNames, refusedParts, isStreamOnlyRefusal } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import { matchSequence } from '@tollgate/providers'

import type { Catalog, Choice } from '../catalog/catalog'
import type { Remembered } from '../health/remembered'
import type { Lesson, RequestedCall } from './requested-call'
import { prepare, type Prepared } from './prepare'
import type { UpstreamError } from './upstream-error'

/** Perplexity: “Sonar is now the Agent API”, which is its name for Responses. https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/overview */
const responsesPhrase = /\bv1\/responses\b|\b(?:responses (?:api|endpoint)|agent api)\b/i
/** OpenAI asks whether old completions were meant of a model that has Responses alone; Azure names no address. */
const noChatPhrases = [
  matchSequence(/\bnot a chat model\b/gi, 80, /\bchat\/completions\b/i),
  /\bchatcompletion operation does not work with the specified model\b/i,
]

type RequestTraits = Pick<RequestedCall, 'isStream' | 'dialect' | 'mode'>

/** Returns what a refusal teaches beyond what an earlier attempt of this call has `learned`; null: it is about something else. */
export function lessonOf(
  refusal: UpstreamError,
  sent: Prepared,
  requested: RequestTraits,
  learned: Lesson,
): Lesson | null {
  if (refusal.fault !== 'refused') return null
  if (!requested.isStream && !sent.isGathered && isStreamOnlyRefusal((pattern) => refusal.matches(pattern)))
    return { onlyStreams: true }
  if (sent.isCompaction && lacksAddress(refusal)) return { hasCompaction: false }
  return addressLesson(refusal, sent, requested, learned) ?? partsLesson(refusal, sent, requested, learned)
}

function addressLesson(
  refusal: UpstreamError,
  { description: { dialect } }: Prepared,
  { dialect: requested }: RequestTraits,
  { hasResponses }: Lesson,
): Lesson | null {
  if (hasResponses !== undefined) return null
  if (dialect === 'openai-chat') return namesResponses(refusal) ? { hasResponses: true } : null
  return dialect === 'openai-responses' && requested !== dialect && isMissing(refusal) ? { hasResponses: false } : null
}

/** 410: Perplexity closed its chat completions in favor of Responses. */
const namesResponses = (error: UpstreamError): boolean =>
  [400, 404, 410].includes(error.status) &&
  error.unquoted.some((text) => responsesPhrase.test(text) || noChatPhrases.some((phrase) => phrase.test(text)))

/** Returns whether the upstream has no such address. */
export const isMissing = ({ fault, status }: UpstreamError): boolean =>
  fault === 'refused' && (status === 404 || status === 405)

/** Hosts refuse an address that they do not have with other statuses as well, and say so. */
const noAddressStatuses: ReadonlySet<number> = new Set([400, 403, 410, 422])
const noAddressPhrases = [
  /\b(?:unknown|invalid|unrecogni[sz]ed|unsupported|no such) (?:request )?(?:url|path|endpoint|route|method|operation|action)\b/i,
  /\b(?:url|path|endpoint|route|method|operation|page) (?:is |was )?not (?:found|supported|implemented|allowed)\b/i,
  /\b(?:responses\/compact|compact(?:ion)?) (?:is |was )?not (?:found|supported|implemented|available)\b/i,
  /^not found\.?$/i,
]

/** Returns whether an upstream refuses a call because it does not have its address. */
const lacksAddress = (refusal: UpstreamError): boolean =>
  isMissing(refusal) ||
  refusal.status === 501 ||
  (noAddressStatuses.has(refusal.status) &&
    refusal.unquoted.some((text) => noAddressPhrases.some((phrase) => phrase.test(text.trim()))))

const maxParts = 40

/** Once a call: what an upstream says decides what is left out, and must not go on for ever. */
function partsLesson(refusal: UpstreamError, sent: Prepared, { mode }: RequestTraits, learned: Lesson): Lesson | null {
  const { status, text: message, code, param } = refusal
  if ((status !== 400 && status !== 422) || (mode !== 'chat' && mode !== 'completions')) return null
  if (learned.without || learned.withoutReasoning || sent.isUntouched) return null
  const names = refusedNames({ message, code, param })
  const body = names && bodyOf(sent)
  if (!body) return null
  if (names.isReasoning) return withoutForeignReasoning(body, () => {}) === body ? null : { withoutReasoning: true }
  const parts = refusedParts({ body, headers: sent.request.headers }, names)
  if (parts.length === 0) return null
  const without = [...sent.without, ...parts].slice(-maxParts)
  return names.isConditional ? { without, isConditional: true } : { without }
}

function bodyOf({ request: { body } }: Prepared): JsonObject | null {
  const json: unknown = typeof body === 'string' ? JSON.parse(body) : null
  return isObject(json) ? json : null
}

/** Returns a request as the lesson says; null where there is none: not every vendor can be called so, nor every call translated. */
export function taught(requested: RequestedCall, choice: Choice, catalog: Catalog, lesson: Lesson): Prepared | null {
  try {
    const prepared = prepare(requested, choice, catalog)
    return isTaught(prepared, lesson) ? prepared : null
  } catch (error) {
    if (error instanceof DialectError || error instanceof AppError) return null
    throw error
  }
}

function isTaught({ description, isGathered }: Prepared, { hasResponses, onlyStreams }: Lesson): boolean {
  if (onlyStreams && !isGathered) return false
  return hasResponses === undefined || description.dialect === (hasResponses ? 'openai-responses' : 'openai-chat')
}

/** Returns whether a refusal of a request without some parts shows that these were to blame: it names others, and none of them. */
export const blamesOthers = (
  refusal: UpstreamError,
  sent: Prepared,
  requested: RequestTraits,
  { without }: Lesson,
): boolean => without !== undefined && partsLesson(refusal, sent, requested, {})?.without !== undefined

/** Remembers what holds for other requests too. */
export function remember(lessons: Remembered<Lesson>, name: string, lesson: Lesson): void {
  const { withoutReasoning: _, without, isConditional, ...others } = lesson
  const lasting: Lesson = without && !isConditional ? { ...others, without } : others
  if (Object.keys(lasting).length > 0) lessons.add(name, lasting)
}
