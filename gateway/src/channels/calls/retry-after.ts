/**
 * Returns the seconds after which an upstream can be called again: from a number, a date, or milliseconds in a header of their own;
 * otherwise until the reset of those of its limits that are used up. Undefined when it says nothing usable.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>, nowMs: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const text = headers.get('retry-after')
  if (text === null) return limitsReset(headers)
  const seconds = numberIn(text)
  if (seconds !== undefined) return seconds
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000)
}

/** The limited quantities: https://platform.openai.com/docs/guides/rate-limits */
const limited = ['requests', 'tokens'] as const

/** Waits for the last of the limits that are used up. */
function limitsReset(headers: Pick<Headers, 'get'>): number | undefined {
  const resets = limited
    .filter((what) => headers.get(`x-ratelimit-remaining-${what}`) === '0')
    .map((what) => durationIn(headers.get(`x-ratelimit-reset-${what}`) ?? ''))
    .filter((seconds) => seconds !== undefined)
  return resets.length === 0 ? undefined : Math.max(...resets)
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
