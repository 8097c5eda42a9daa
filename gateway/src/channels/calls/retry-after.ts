import type { Clock } from '../../platform/time/clock'

/**
 * Returns the seconds after which an upstream can be called again: from a number, a date, or milliseconds in a header of their own;
 * otherwise until the reset of those of its limits that are used up. Undefined when it says nothing usable.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>, clock: Pick<Clock, 'now'>): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const text = headers.get('retry-after')
  if (text === null) return limitsReset(headers, clock)
  const seconds = numberIn(text)
  if (seconds !== undefined) return seconds
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - clock.now()) / 1000)
}

/** The headers of what is left of an account's limits, and of when they are whole again. */
const limits = [
  // https://platform.openai.com/docs/guides/rate-limits
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  // https://docs.claude.com/en/api/rate-limits
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset'],
  ['anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset'],
] as const

/** Returns the seconds until the last of those limits that are used up is whole again; undefined where none is. */
export function limitsReset(headers: Pick<Headers, 'get'>, clock: Pick<Clock, 'now'>): number | undefined {
  let last: number | undefined
  for (const [remaining, reset] of limits) {
    if (headers.get(remaining) !== '0') continue
    const seconds = secondsUntil(headers.get(reset) ?? '', clock)
    if (seconds !== undefined) last = Math.max(last ?? 0, seconds)
  }
  return last
}

/** A duration, or a time. */
function secondsUntil(text: string, clock: Pick<Clock, 'now'>): number | undefined {
  const duration = durationIn(text)
  if (duration !== undefined) return duration
  const time = /^\d{4}-/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(time) ? undefined : Math.max(0, (time - clock.now()) / 1000)
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined

const secondsOf = new Map([
  ['ms', 0.001],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])
const wholeDuration = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])){1,6}$/
const partOfDuration = /(\d{1,9}(?:\.\d{1,9})?)(ms|[smhd])/g

/** `6m0s`, `1.5s`, `120ms` */
function durationIn(text: string): number | undefined {
  if (!wholeDuration.test(text)) return numberIn(text)
  const parts = [...text.matchAll(partOfDuration)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (secondsOf.get(unit ?? '') ?? 0), 0)
}
