import { dashboardRoutes, daySeconds } from '@tollgate/contract'

import { userIdOf } from '../../accounts/users/usernames'
import { modelFilter } from '../../channels/catalog/model-filter'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import { channelHealth } from './channel-health'
import { spanOf, type ConsumptionQuery } from './chart-query'
import { consumption } from './consumption'

const dashboardLimits = { usual: 7 * daySeconds, max: dashboardRoutes.maxDashboardDays * daySeconds }
const healthLimits = { usual: daySeconds, max: dashboardRoutes.maxHealthDays * daySeconds }
const usualSeries = 8

export const dashboardHandlers: readonly Handler[] = [
  handler(dashboardRoutes.dashboard, async ({ query }, { ctx, caller }) => {
    const userId = await userIdOf(ctx.database.query, query.username)
    const filter = { ...namesOf(query, ctx), userId, channelId: query.channel || undefined }
    const hasMargin = query.measures && caller.grants.has('costs.read')
    return consumption(ctx.database.query, { ...requestedForm(query, filter, ctx), hasMargin })
  }),

  handler(dashboardRoutes.ownDashboard, async ({ query }, { ctx, caller }) =>
    consumption(ctx.database.query, requestedForm(query, { ...namesOf(query, ctx), userId: caller.userId }, ctx)),
  ),

  handler(dashboardRoutes.channelHealth, async ({ query }, { ctx }) =>
    channelHealth(ctx.database.query, spanOf(query, ctx.clock.seconds(), healthLimits), query.limit),
  ),
]

type Query = Omit<dashboardRoutes.DashboardQuery, 'username' | 'channel'>

const namesOf = (query: Query, { catalog }: Context): UsageFilter => ({
  ...modelFilter(query.model_name, catalog.current),
  tokenName: query.token_name || undefined,
})

const requestedForm = (query: Query, filter: UsageFilter, ctx: Context): ConsumptionQuery => ({
  filter,
  span: spanOf(query, ctx.clock.seconds(), dashboardLimits),
  granularity: query.granularity,
  utcOffset: query.utc_offset ?? 0,
  grouping: query.group_by,
  limit: query.limit ?? usualSeries,
  hasMeasures: query.measures,
})
