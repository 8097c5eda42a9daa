/** Retry-After in seconds: a number, a date, or milliseconds in a header of their own. Undefined when it says nothing usable. */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const milliseconds = numberIn(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const text = headers.get('retry-after')
  const seconds = numberIn(text)
  if (text === null || seconds !== undefined) return seconds
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMs) / 1000)
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined
