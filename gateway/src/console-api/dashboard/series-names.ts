import type { dashboardRoutes } from '@tollgate/contract'

import type { DimensionName } from '../../billing/analytics/rollups'
import type { Queries } from '../../platform/store/database'

/** The column of each grouping. */
export const columns = {
  model: 'model_name',
  token: 'token_name',
  group: 'group',
  channel: 'channel_id',
  user: 'user_id',
} as const satisfies Record<dashboardRoutes.Grouping, DimensionName>

interface SeriesName {
  readonly id: number | null
  readonly name: string
}

/** Resolves with the names of series: by the name they are grouped by, or by that of their channel or user, `#id` where it is gone. */
export async function nameSeries(
  query: Queries,
  grouping: dashboardRoutes.Grouping,
  keys: readonly string[],
): Promise<(key: string) => SeriesName> {
  if (grouping !== 'channel' && grouping !== 'user') return (key) => ({ id: null, name: key })
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
