import { daySeconds } from '@tollgate/contract'
import { rangeOf } from '../../lib/text/range-of'
import type { MessagesSearch } from './messages-search'

type Filters = Pick<MessagesSearch, 'keyword' | 'range' | 'from' | 'to'>

/** Returns the search parameters; null without filters. The server requires both ends of a range, or none. Pure. */
export function searchOf({ keyword, range, from, to }: Filters, nowSeconds: number) {
  const { start_timestamp: start, end_timestamp: end } = rangeOf({ range, from, to }, nowSeconds)
  if (start === undefined && end === undefined) return keyword === undefined ? null : { keyword }
  const tomorrow = Math.floor(nowSeconds / 60) * 60 + daySeconds
  return { keyword, start_date: isoOf(start ?? 0), end_date: isoOf(end ?? tomorrow) }
}

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

export const noFilters: Partial<MessagesSearch> = {
  keyword: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}
