import { logRoutes, pageOf } from '@tollgate/contract'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { deleteLogs } from './delete-logs'
import { listLogs } from './list-logs'
import { logEntity, ownLogEntity } from './log-entity'
import { logFilter, userIdOf } from './log-filter'
import { logStat } from './log-stat'

const seconds = (ctx: Context) => Math.floor(ctx.clock.now() / 1000)

export const logHandlers: readonly Handler[] = [
  handler(logRoutes.listLogs, async ({ query }, { ctx }) => {
    const page = pageOf(query)
    const filter = logFilter(query, await userIdOf(ctx.database.query, query.username))
    const { items, total } = await listLogs(ctx.database.query, filter, page)
    return { items: items.map(logEntity), page: page.page, page_size: page.size, total }
  }),
  handler(logRoutes.listOwnLogs, async ({ query }, { ctx, caller }) => {
    const page = pageOf(query)
    const { items, total } = await listLogs(ctx.database.query, logFilter(query, caller.userId), page)
    return { items: items.map(ownLogEntity), page: page.page, page_size: page.size, total }
  }),
  handler(logRoutes.logStat, async ({ query }, { ctx }) => {
    const userId = await userIdOf(ctx.database.query, query.username)
    return logStat(ctx.database.query, logFilter(query, userId), seconds(ctx))
  }),
  handler(logRoutes.ownLogStat, ({ query }, { ctx, caller }) =>
    logStat(ctx.database.query, logFilter(query, caller.userId), seconds(ctx)),
  ),
  handler(logRoutes.deleteLogs, async ({ query }, { ctx }) => {
    if (!query.target_timestamp || query.target_timestamp < 0) throw new AppError('log.timestamp')
    return deleteLogs(ctx.database.query, query.target_timestamp)
  }),
]
