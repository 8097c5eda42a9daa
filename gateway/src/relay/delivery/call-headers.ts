import { requestIdHeader } from '@tollgate/contract'

import type { IncomingCall, RateStanding } from '../call'

type NamedCall = Pick<IncomingCall, 'requestId' | 'dialect' | 'findings'>

/**
 * Adds the headers of every response to a call, by the names that SDKs of its dialect read: its id, and what is left of the caller's own
 * rate limit, which is never that of an upstream's account.
 */
export function addCallHeaders(
  headers: Record<string, string>,
  { requestId, dialect, findings: { rate } }: NamedCall,
): Record<string, string> {
  headers[requestIdHeader] = requestId
  const isAnthropic = dialect === 'anthropic-messages'
  if (isAnthropic) headers['request-id'] = requestId
  if (rate) Object.assign(headers, isAnthropic ? anthropicLimits(rate) : openAiLimits(rate))
  return headers
}

/** Returns the headers of a response that has no others. */
export const callHeaders = (call: NamedCall): Record<string, string> => addCallHeaders({}, call)

/** https://platform.openai.com/docs/guides/rate-limits */
const openAiLimits = ({ limit, remaining, resetSeconds }: RateStanding) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': `${resetSeconds}s`,
})

/** https://docs.claude.com/en/api/rate-limits */
const anthropicLimits = ({ limit, remaining, resetsAt }: RateStanding) => ({
  'anthropic-ratelimit-requests-limit': String(limit),
  'anthropic-ratelimit-requests-remaining': String(remaining),
  'anthropic-ratelimit-requests-reset': new Date(resetsAt).toISOString().replace(/\.\d+/, ''),
})
