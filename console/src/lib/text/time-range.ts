import { formatTime } from './format'

/** A range between two unix times, inclusive. Without an end it continues until now. */
export interface TimeRange {
  readonly from: number | undefined
  readonly to: number | undefined
}

interface OpenEnds {
  /** Shown for a missing start. */
  readonly ever: string
  /** Shown for a missing end. */
  readonly now: string
}

/** Returns a short text of a range: whole days without times, the current year without its number. */
export function rangeText({ from, to }: TimeRange, { ever, now }: OpenEnds, nowSeconds = Date.now() / 1000): string {
  const start = from === undefined ? undefined : formatTime(from)
  const end = to === undefined ? undefined : formatTime(to)
  const areDays = (start?.endsWith(' 00:00:00') ?? true) && (end?.endsWith(' 23:59:59') ?? true)
  const year = formatTime(nowSeconds).slice(0, 5)
  const isThisYear = [start, end].every((time) => time?.startsWith(year) ?? true)
  const short = (time: string) => time.slice(isThisYear ? year.length : 0, areDays ? 10 : undefined).replace(/:00$/, '')
  const [first, last] = [start ? short(start) : ever, end ? short(end) : now]
  return areDays && first === last ? first : `${first} – ${last}`
}
