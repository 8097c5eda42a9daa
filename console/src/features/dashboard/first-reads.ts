import type { FirstReads } from '../../lib/api/first-reads'
import type { DashboardSearch } from './dashboard-search'
import { queryOf, viewOf } from './dashboard-view'

export const firstReads: FirstReads<DashboardSearch> = ({ search, at, readsAll, usualStep }) => {
  const view = viewOf(search, { now: at, usualStep, readsAll })
  return [[view.isAllUsers ? '/api/data' : '/api/data/self', { ...queryOf(view), group_by: view.by }]]
}
