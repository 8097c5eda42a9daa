import { dashboardRoutes, daySeconds, earningRoutes, type RouteInput } from '@tollgate/contract'

import { userIdOf } from '../../../accounts/users/usernames'
import { modelFilter } from '../../../channels/catalog/model-filter'
import type { Context } from '../../../context'
import { handler, type Handler } from '../../../http/handler'
import { csvFile } from '../../../http/response/csv-file'
import { AppError } from '../../../platform/app-error'
import { bucketsOf, spanOf } from '../chart-query'
import { earningColumns } from './earning-columns'
import { earningRows } from './earning-rows'
import { findEarnings, type EarningsQuery } from './read-earnings'

const limits = { usual: 7 * daySeconds, max: dashboardRoutes.maxDashboardDays * daySeconds }
const usualRows = 100

export const earningHandlers: readonly Handler[] = [
  handler(earningRoutes.earnings, async ({ query }, { ctx }) => {
    const earningsQuery = await queryOf(query, ctx)
    const found = await findEarnings(ctx.database.query, earningsQuery)
    const { rows, rest } = await earningRows(ctx.database.query, found, orderOf(query), query.limit ?? usualRows)
    return {
      totals: found.totals,
      previous: found.previous,
      times: [...earningsQuery.buckets.times],
      by_time: {
        quota: found.byTime.map(({ quota }) => quota),
        sold: found.byTime.map(({ sold }) => sold),
        cost: found.byTime.map(({ cost }) => cost),
      },
      rows: [...rows],
      rest,
    }
  }),

  handler(earningRoutes.exportEarnings, async ({ query }, call) => {
    const { database } = call.ctx
    const earningsQuery = await queryOf(query, call.ctx)
    async function* lists() {
      const found = await findEarnings(database.query, earningsQuery)
      yield (await earningRows(database.query, found, orderOf(query), Infinity)).rows
    }
    return csvFile('earnings', earningColumns(query.group_by), lists(), call)
  }),
]

type Query = RouteInput<typeof earningRoutes.exportEarnings>['query']

const orderOf = ({ group_by: grouping, sort, descending: isDescending }: Query) => ({ grouping, sort, isDescending })

/** @throws AppError `param.invalid` where sums of upstream keys would need another filter than the channel. */
async function queryOf(query: Query, { catalog, clock, database }: Context): Promise<EarningsQuery> {
  const { channel, key, model_name: model, group, username } = query
  const isByKey = key !== undefined || query.group_by === 'key'
  if (isByKey && (model || group || username)) throw new AppError('param.invalid', { params: { field: 'key' } })
  if (key !== undefined && query.group_by !== 'key' && query.group_by !== 'time')
    throw new AppError('param.invalid', { params: { field: 'group_by' } })
  const span = spanOf(query, clock.seconds(), limits)
  return {
    filter: {
      ...modelFilter(model, catalog.current),
      group: group || undefined,
      userId: await userIdOf(database.query, username),
      channelId: channel || undefined,
    },
    key,
    span,
    buckets: bucketsOf(span, query.granularity, query.utc_offset ?? 0),
    grouping: query.group_by,
  }
}
