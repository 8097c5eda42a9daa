import type { FirstReads } from '../../lib/api/first-reads'
import { filterOf, filtersIn, rowsQuery, statQuery } from './log-query'
import type { LogSearch } from './log-search'

export const firstReads: FirstReads<LogSearch> = ({ search, at, size, readsAll }) => {
  const filter = filterOf(filtersIn(search), readsAll, Math.floor(at / 1000))
  const { sort } = search
  const descending = search.descending || undefined
  const path = readsAll ? '/api/log' : '/api/log/self'
  return [
    [path, rowsQuery(filter, { page: search.page ?? 1, size: search.size ?? size, sort, descending })],
    [`${path}/stat`, statQuery(filter, { isWhole: false })],
  ]
}
