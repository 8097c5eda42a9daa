import { saysOnlyStreams } from '@tollgate/providers'

import type { Lesson } from './lesson'
import type { Prepared } from './prepare'
import type { RequestedCall } from './requested-call'
import type { UpstreamError } from './upstream-error'

const responsesPhrase = /\bv1\/responses\b|\bresponses (?:api|endpoint)\b/i

/** Returns what a refusal teaches beyond what an earlier attempt of this call has `learned`; null: it is about something else. */
export function lessonOf(
  refusal: UpstreamError,
  { description: { dialect }, isGathered }: Pick<Prepared, 'description' | 'isGathered'>,
  { isStream, dialect: asked }: Pick<RequestedCall, 'isStream' | 'dialect'>,
  learned: Lesson,
): Lesson | null {
  if (refusal.fault !== 'refused') return null
  if (!isStream && !isGathered && saysOnlyStreams((pattern) => refusal.matches(pattern))) return { onlyStreams: true }
  if (learned.hasResponses !== undefined) return null
  if (dialect === 'openai-chat') return namesResponses(refusal) ? { hasResponses: true } : null
  return dialect === 'openai-responses' && asked !== dialect && isMissing(refusal) ? { hasResponses: false } : null
}

/** 410: Perplexity closed its chat completions in favor of Responses. */
const namesResponses = (error: UpstreamError): boolean =>
  [400, 404, 410].includes(error.status) && error.matchesUnquoted(responsesPhrase)

/** Returns whether the upstream has no such address. */
export const isMissing = ({ fault, status }: UpstreamError): boolean =>
  fault === 'refused' && (status === 404 || status === 405)

/** Returns whether a request is made as the lesson says: not every vendor can be called so. */
export function isTaught({ description, isGathered }: Prepared, { hasResponses, onlyStreams }: Lesson): boolean {
  if (onlyStreams && !isGathered) return false
  return hasResponses === undefined || description.dialect === (hasResponses ? 'openai-responses' : 'openai-chat')
}
