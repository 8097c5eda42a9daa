const shape = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * Parses a typed time, "2026-11-21", "2026-11-21 7:02" or with seconds, in the browser's time zone. A date alone is its first second, or
 * with `isEnd` its last. Returns unix seconds, or undefined for an invalid text.
 */
export function readTime(text: string, { isEnd = false } = {}): number | undefined {
  const match = shape.exec(text.trim())
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, ...clock] = match.slice(1).map((part) => (part ? Number(part) : undefined))
  const isDay = clock[0] === undefined
  const [hours = isEnd ? 23 : 0, minutes = isEnd ? 59 : 0, seconds = isEnd && isDay ? 59 : 0] = clock
  const date = new Date(year, month - 1, day, hours, minutes, seconds)
  // February 31st, or 25:00, would roll over.
  const isReal = date.getMonth() === month - 1 && date.getDate() === day && hours < 24 && minutes < 60 && seconds < 60
  return isReal ? date.getTime() / 1000 : undefined
}
