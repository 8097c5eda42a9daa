import type { channelRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { ChannelRow } from '../../platform/store/tables'
import { readSumProgress } from '../../billing/analytics/rollups'
import { sumsByKey } from '../../billing/analytics/query'
import { inDollars } from './vendor-money'
import { trafficSpan } from './channel-traffic'

type Sort = (typeof channelRoutes.channelSorts)[number]
export type SortValue = string | number

/** The columns that decide the position of a channel in the list. */
export type SortedRow = Pick<ChannelRow, 'id' | 'tag' | (typeof sortColumns)[number]>

/** The columns by which channels can be sorted, besides `id` and `tag`. */
export const sortColumns = [
  'name',
  'type',
  'status',
  'response_time',
  'used_quota',
  'balance',
  'balance_currency',
  'priority',
  'weight',
] as const satisfies readonly (keyof ChannelRow)[]

const columnOf = {
  id: 'id',
  name: 'name',
  type: 'type',
  tag: 'tag',
  status: 'status',
  response: 'response_time',
  used: 'used_quota',
  priority: 'priority',
  weight: 'weight',
} as const satisfies Partial<Record<Sort, keyof SortedRow>>

const isColumn = (sort: Sort): sort is keyof typeof columnOf => sort in columnOf

/** Resolves with a function that returns the value to sort a channel by. Traffic is that of the last 24 hours. */
export async function sortValues(
  ctx: Pick<Context, 'database' | 'clock' | 'catalog'>,
  sort: Sort,
): Promise<(row: SortedRow) => SortValue> {
  if (isColumn(sort)) return (row) => row[columnOf[sort]] ?? ''
  if (sort === 'balance') return (row) => inDollars(row, ctx.catalog.current.options)
  const trafficQuery = { filter: {}, hours: trafficSpan(ctx.clock), column: 'channel_id' } as const
  const totals = await sumsByKey(await readSumProgress(ctx.database.query), trafficQuery)
  return ({ id }) => {
    const { count, errors, quota } = totals.get(String(id)) ?? { count: 0, errors: 0, quota: 0 }
    if (sort === 'spend') return quota
    if (sort === 'calls') return count
    // Channels without calls neither succeeded nor failed: they come after the others.
    return count + errors === 0 ? -1 : errors / (count + errors)
  }
}

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export const compareValues = (one: SortValue, other: SortValue): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : texts.compare(String(one), String(other))
