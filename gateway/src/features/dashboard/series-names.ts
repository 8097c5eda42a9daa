import type { dashboardRoutes } from '@tollgate/contract'

import type { Queries } from '../../store/database'
import type { SeriesKey } from './rollup-sums'

interface SeriesName {
  readonly id: number | null
  readonly name: string
}

/** How series are called: by the name they are grouped by, or by that of their channel or user, `#id` where it is gone. */
export async function nameSeries(
  query: Queries,
  grouping: dashboardRoutes.Grouping,
  keys: readonly SeriesKey[],
): Promise<(key: SeriesKey) => SeriesName> {
  if (grouping !== 'channel' && grouping !== 'user') return (key) => ({ id: null, name: String(key) })
  const ids = keys.map(Number)
  const names = grouping === 'channel' ? await channelNames(query, ids) : await userNames(query, ids)
  return (key) => ({ id: Number(key), name: names.get(Number(key)) || `#${key}` })
}

async function channelNames(query: Queries, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await query.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Closed accounts keep their name, as in the log. */
async function userNames(query: Queries, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await query.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
