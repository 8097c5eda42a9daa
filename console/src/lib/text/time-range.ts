import type { QuickRange } from '../url/page-search'
import { formatTime } from './format'

const day = 86_400
const lengths: Readonly<Record<QuickRange, number | undefined>> = {
  day,
  week: 7 * day,
  month: 30 * day,
  all: undefined,
}

/** The times of `rangeSearch` in an address. */
export interface RangeInAddress {
  readonly range?: QuickRange | undefined
  /** Unix seconds. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Returns the call's times for an address; ranges that end now begin at a whole minute. */
export function rangeOf({ range, from, to }: RangeInAddress, nowSeconds: number) {
  const length = lengths[range ?? 'all']
  const since = length === undefined ? undefined : Math.floor(nowSeconds / 60) * 60 - length
  return { start_timestamp: from ?? since, end_timestamp: to }
}

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
