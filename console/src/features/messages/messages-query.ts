import type { QuickRange } from '../../lib/page-search'
import type { MessagesSearch } from './messages-search'

const daySeconds = 86_400
const seconds: Readonly<Record<Exclude<QuickRange, 'all'>, number>> = {
  day: daySeconds,
  week: 7 * daySeconds,
  month: 30 * daySeconds,
}

type Filters = Pick<MessagesSearch, 'keyword' | 'range' | 'from' | 'to'>

/** What the search is asked for; null where nothing is filtered. The server wants both ends of a range, or none. Pure. */
export function searchOf({ keyword, range, from, to }: Filters, nowSeconds: number) {
  const minute = Math.floor(nowSeconds / 60) * 60
  const start = range === undefined || range === 'all' ? from : minute - seconds[range]
  if (start === undefined && to === undefined) return keyword === undefined ? null : { keyword }
  return { keyword, start_date: isoOf(start ?? 0), end_date: isoOf(to ?? minute + daySeconds) }
}

const isoOf = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

export const noFilters: Partial<MessagesSearch> = {
  keyword: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  page: undefined,
}
