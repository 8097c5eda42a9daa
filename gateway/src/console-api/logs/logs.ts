import { logRoutes, pageOf, type Page } from '@tollgate/contract'

import { userIdOf } from '../../accounts/users/user-id-of'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { WorkQueue } from '../../platform/time/work-queue'
import type { LogRow } from '../../platform/store/tables'
import { exportLogs } from './export-logs'
import { checkDeletable } from '../../operations/retention/remove-logs'
import { clearLogs } from './clear-logs'
import { findLog, hasTexts, withoutTexts } from './find-log'
import { joinCalls } from './join-calls'
import { listLogs, type LogList } from './list-logs'
import { logColumns, ownLogColumns } from './log-columns'
import { logEntity, ownLogEntity } from './log-entity'
import { logFilter, type LogFilter, type LogUsers } from './log-filter'
import { logStat, quickMilliseconds } from './log-stat'
import { sortLogs } from './sort-logs'

const fullSums = new WorkQueue({ running: 2, perKey: 1, waiting: 64 })

/** Sums within the time of a page, or completely, when it is the turn of this reader. @throws AppError `gateway.busy`. */
const sumsFor = (
  filter: LogFilter,
  { quick }: { quick?: boolean | undefined },
  { ctx, caller }: { readonly ctx: Context; readonly caller: { readonly userId: number } },
): Promise<logRoutes.LogStat> =>
  quick
    ? logStat(ctx.database.query, filter, ctx.clock.seconds(), quickMilliseconds)
    : fullSums.run(() => logStat(ctx.database.query, filter, ctx.clock.seconds()), caller.userId)

const reachOf = ({ total, isTotalLowerBound, searchedUntil }: LogList, { page, size }: Page) => ({
  page,
  page_size: size,
  total,
  total_is_lower_bound: isTotalLowerBound,
  ...(searchedUntil !== null && { searched_until: searchedUntil }),
})

/** Resolves with the users an administrator requests or excludes, by name. */
async function usersOf(query: logRoutes.LogQuery, { database }: Context): Promise<LogUsers> {
  const [userId, ...others] = await Promise.all(
    [query.username, ...(query.not_username ?? [])].map((name) => userIdOf(database.query, name)),
  )
  // A user who does not exist has no rows to exclude.
  return { userId, withoutUserIds: others.filter((id) => typeof id === 'number') }
}

interface Listed {
  readonly list: LogList
  readonly query: { readonly joined?: boolean | undefined }
}

interface ListQuery {
  readonly joined?: boolean | undefined
  readonly sort?: logRoutes.LogSort | undefined
  readonly descending?: boolean | undefined
}

function listed({ database }: Context, given: LogFilter, page: Page, { sort, descending = false, joined }: ListQuery) {
  const filter = { ...given, ...(joined && { isJoined: true }) }
  return sort
    ? sortLogs(database, filter, page, { sort, isDescending: descending })
    : listLogs(database.query, filter, page)
}

async function itemsOf<Entity>({ database }: Context, { list, query }: Listed, entity: (row: LogRow) => Entity) {
  if (!query.joined) return list.items.map(entity)
  const joined = await joinCalls(database.query, list.items)
  return joined.map(({ row, attempts }) => ({ ...entity(row), attempts: attempts.map(entity) }))
}

export const logHandlers: readonly Handler[] = [
  handler(logRoutes.listLogs, async ({ query }, { ctx, language }) => {
    const page = pageOf(query)
    const filter = logFilter(query, ctx.catalog.current, await usersOf(query, ctx))
    const list = await listed(ctx, filter, page, query)
    const entity = (row: LogRow) => logEntity(withoutTexts(row), language)
    return { items: await itemsOf(ctx, { list, query }, entity), ...reachOf(list, page) }
  }),
  handler(logRoutes.listOwnLogs, async ({ query }, { ctx, caller, language }) => {
    const page = pageOf(query)
    const filter = logFilter(query, ctx.catalog.current, { userId: caller.userId })
    const list = await listed(ctx, filter, page, query)
    const entity = (row: LogRow) => ownLogEntity(withoutTexts(row), language)
    return { items: await itemsOf(ctx, { list, query }, entity), ...reachOf(list, page) }
  }),
  handler(logRoutes.getLog, async ({ params }, { ctx, caller, audit, language }) => {
    const row = await findLog(ctx, params.id, { reader: caller })
    if (hasTexts(row) && row.user_id !== caller.userId) {
      audit.read('log.read_texts')
      audit.target('log', row.request_id, row.username)
    }
    return logEntity(row, language)
  }),
  handler(logRoutes.getOwnLog, async ({ params }, { ctx, caller, language }) => {
    const row = await findLog(ctx, params.id, { ownerId: caller.userId })
    return ownLogEntity(caller.isViewed ? withoutTexts(row) : row, language)
  }),
  handler(logRoutes.exportLogs, async ({ query }, call) => {
    const filter = logFilter(query, call.ctx.catalog.current, await usersOf(query, call.ctx))
    return exportLogs(
      filter,
      { columns: logColumns, entity: (row) => logEntity(withoutTexts(row), call.language) },
      call,
    )
  }),
  handler(logRoutes.exportOwnLogs, async ({ query }, call) =>
    exportLogs(
      logFilter(query, call.ctx.catalog.current, { userId: call.caller.userId }),
      { columns: ownLogColumns, entity: (row) => ownLogEntity(withoutTexts(row), call.language) },
      call,
    ),
  ),
  handler(logRoutes.logStat, async ({ query }, call) =>
    sumsFor(logFilter(query, call.ctx.catalog.current, await usersOf(query, call.ctx)), query, call),
  ),
  handler(logRoutes.ownLogStat, ({ query }, call) =>
    sumsFor(logFilter(query, call.ctx.catalog.current, { userId: call.caller.userId }), query, call),
  ),
  handler(logRoutes.deleteLogs, async ({ query: { target_timestamp: before } }, { ctx, caller, audit }) => {
    audit.changed({}, { target_timestamp: before })
    checkDeletable(before, ctx.clock.seconds(), caller.role)
    const { count, isDone } = await clearLogs(ctx, before)
    audit.changed({}, { deleted: count, ...(!isDone && { goes_on: true }) })
    return count
  }),
]
