import { logRoutes, pageOf, logType, withLogDetails, withoutCosts, type Page } from '@tollgate/contract'

import { userIdOf } from '../../accounts/users/usernames'
import type { Context } from '../../context'
import { handler, type Caller, type Handler, type Call } from '../../http/handler'
import { WorkQueue } from '../../platform/time/work-queue'
import type { LogRow } from '../../platform/store/tables'
import { checkDeletable, requestRemoval, clearRemovalRequest, removeLogs } from '../../operations/retention/remove-logs'
import { joinCalls } from '../../billing/usage-log/join-calls'
import type { LogList } from '../../billing/usage-log/list-logs'
import { logColumns, ownLogColumns } from './log-columns'
import { logEntity, ownLogEntity } from './log-entity'
import type { LogFilter } from '../../billing/usage-log/log-filter'
import { logFilter, type LogUsers } from './log-filter'
import { logStat, quickMilliseconds } from '../../billing/usage-log/log-stat'
import { removeShipped } from '../../operations/retention/remove-shipped'
import type { Removed } from '../../operations/retention/remove-in-parts'
import { YieldingPace } from '../../platform/store/pace'
import { csvFile, type CsvColumn } from '../../http/response/csv-file'
import type { FileResult } from '../../http/response/file-response'
import { readableOwners, type ContentReader } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'

const fullSums = new WorkQueue({ running: 2, perKey: 1, waiting: 64 })

/** Sums within the time of a page, or completely, when it is the turn of this reader. @throws AppError `gateway.busy`. */
const sumsFor = (
  filter: LogFilter,
  { quick }: { quick?: boolean | undefined },
  { ctx, caller }: { readonly ctx: Context; readonly caller: { readonly userId: number } },
): Promise<logRoutes.LogStat> =>
  quick
    ? logStat(ctx.database.query, filter, ctx.clock.seconds(), quickMilliseconds, ctx.logs)
    : fullSums.run(() => logStat(ctx.database.query, filter, ctx.clock.seconds(), Infinity, ctx.logs), caller.userId)

const pageInfoOf = ({ total, isTotalLowerBound, searchedUntil }: LogList, { page, size }: Page) => ({
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

function listRows(
  { logs }: Context,
  requestedFilter: LogFilter,
  page: Page,
  { sort, descending = false, joined }: ListQuery,
) {
  const filter = { ...requestedFilter, ...(joined && { isJoined: true }) }
  return sort ? logs.sort(filter, page, { sort, isDescending: descending }) : logs.list(filter, page)
}

async function itemsOf<Entity>({ logs }: Context, { list, query }: Listed, entity: (row: LogRow) => Entity) {
  if (!query.joined) return list.items.map(entity)
  const joined = await joinCalls(logs, list.items)
  return joined.map(({ row, attempts }) => ({ ...entity(row), attempts: attempts.map(entity) }))
}

export const logHandlers: readonly Handler[] = [
  handler(logRoutes.listLogs, async ({ query }, { ctx, caller, language }) => {
    const page = pageOf(query)
    const filter = logFilter(query, ctx.catalog.current, await usersOf(query, ctx))
    const list = await listRows(ctx, filter, page, query)
    const entity = (row: LogRow) => logEntity(shownTo(caller, withoutTexts(row)), language)
    return { items: await itemsOf(ctx, { list, query }, entity), ...pageInfoOf(list, page) }
  }),
  handler(logRoutes.listOwnLogs, async ({ query }, { ctx, caller, language }) => {
    const page = pageOf(query)
    const filter = logFilter(query, ctx.catalog.current, { userId: caller.userId })
    const list = await listRows(ctx, filter, page, query)
    const entity = (row: LogRow) => ownLogEntity(withoutTexts(row), language)
    return { items: await itemsOf(ctx, { list, query }, entity), ...pageInfoOf(list, page) }
  }),
  handler(logRoutes.getLog, async ({ params }, { ctx, caller, audit, language }) => {
    const row = await findLog(ctx, params.id, { reader: caller })
    if (hasTexts(row) && row.user_id !== caller.userId) {
      audit.read('log.read_texts')
      audit.target('log', row.request_id, row.username)
    }
    return logEntity(shownTo(caller, row), language)
  }),
  handler(logRoutes.getOwnLog, async ({ params }, { ctx, caller, language }) => {
    const row = await findLog(ctx, params.id, { ownerId: caller.userId })
    return ownLogEntity(caller.isViewed ? withoutTexts(row) : row, language)
  }),
  handler(logRoutes.exportLogs, async ({ query }, call) => {
    const filter = logFilter(query, call.ctx.catalog.current, await usersOf(query, call.ctx))
    return exportLogs(
      filter,
      { columns: logColumns, entity: (row) => logEntity(shownTo(call.caller, withoutTexts(row)), call.language) },
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
    audit.recordChange({}, { target_timestamp: before })
    checkDeletable(before, ctx.clock.seconds(), caller.role)
    const { count, isDone } = await clearLogs(ctx, before)
    audit.recordChange({}, { deleted: count, ...(!isDone && { goes_on: true }) })
    return count
  }),
]

/** Returns a row without its cost at the vendor for administrators who may not see that. */
const shownTo = ({ grants }: Pick<Caller, 'grants'>, row: LogRow): LogRow =>
  grants.has('costs.read') ? row : { ...row, other: withoutCosts(row.other) }

/** Proxies wait longer. */
const maxMs = 15_000

/**
 * Removes rows of calls from before a moment (seconds), for some seconds; the periodic job of the site does the rest. Resolves with how many
 * are gone by then.
 */
async function clearLogs(ctx: Context, before: number): Promise<Removed> {
  const { changes, clock, database, metrics } = ctx
  const began = clock.monotonic()
  await requestRemoval(database.query, before, clock.now())
  const pace = new YieldingPace({ ...ctx, ...database, calls: () => metrics.responseCount })
  const isOver = () => clock.monotonic() - began > maxMs
  const removed = await removeLogs({ kind: database.kind, query: database.removal }, { before, pace, isOver })
  if (removed.isDone) {
    const shipped = await removeShipped(ctx, before)
    await clearRemovalRequest(database.query, before)
    return { ...removed, count: removed.count + shipped }
  } else {
    await database.query
      .transaction()
      .execute((transaction) => changes.announce({ topic: 'retention', refId: 0 }, transaction))
    await changes.deliver()
  }
  return removed
}

/** How rows become lines, for one kind of reader. */
interface LogTable<Entity> {
  readonly columns: readonly CsvColumn<Entity>[]
  readonly entity: (row: LogRow) => Entity
}

/** Returns all rows within the filters as a file. */
export function exportLogs<Entity>(
  filter: LogFilter,
  { columns, entity }: LogTable<Entity>,
  call: Call,
): Promise<FileResult> {
  async function* entities() {
    for await (const rows of call.ctx.logs.each(filter)) yield rows.map(entity)
  }
  return csvFile('logs', columns, entities(), call)
}

/** Conversations are sealed. */
type Opened = Pick<Context, 'database' | 'logs' | 'seal'>

/** The owner of the row, or a reader of any row. */
type AccessScope = { readonly ownerId: number } | { readonly reader: ContentReader }

/**
 * Resolves with one row with the conversation of its call. A reader of all users' rows needs a grant to read conversations, and gets those
 * of lower ranks and their own.
 * @throws AppError `log.none`, also for a row of another user where an owner is given.
 */
async function findLog({ database: { query }, logs, seal }: Opened, id: number, scope: AccessScope): Promise<LogRow> {
  const row = await logs.find(id)
  if (!row || ('ownerId' in scope && row.user_id !== scope.ownerId)) throw new AppError('log.none')
  if (row.type !== logType.consumption) return row
  if ('reader' in scope && !(await readableOwners(query, [row.user_id], scope.reader)).has(row.user_id))
    return withoutTexts(row)
  const texts = await findTexts(query, row.request_id, seal)
  return texts ? { ...row, other: withLogDetails(row.other, texts) } : row
}

const noTexts = { context: undefined, input_content: undefined, output_content: undefined }

/** Returns whether a row contains the conversation of its call. */
const hasTexts = (row: LogRow): boolean => /"(?:context|input_content|output_content)"/.test(row.other)

/** Returns a row without its conversation, which rows of earlier releases keep in `other`. */
const withoutTexts = (row: LogRow): LogRow =>
  hasTexts(row) ? { ...row, other: withLogDetails(row.other, noTexts) } : row
