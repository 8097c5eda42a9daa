import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'

import type { Queries } from '../../platform/store/database'
import type { LogRow, Tables } from '../../platform/store/tables'
import { logConditions, type LogFilter } from './log-filter'
import { nextTurn } from '../../platform/time/timers'

/** Rows read by one query: a few milliseconds, for which a call in the same process may have to wait. */
const windowSize = 1000

/** Where a row stands in the order of time. */
export interface RowMoment {
  readonly created_at: number
  readonly id: number
}

/**
 * Yields all rows within the filters, newest first, a list at a time. The table is walked in windows along one index, so neither memory
 * nor the time of a query grows with it, however rarely the filters match: a window without a match is an empty list. Begins after a row where one is given.
 */
export async function* eachLog(
  query: Queries,
  filter: LogFilter,
  size = windowSize,
  after: RowMoment | null = null,
): AsyncGenerator<LogRow[]> {
  const walked = pickIndexed(filter)
  let before = after
  for (;;) {
    const last: RowMoment | undefined = await lastOfWindow(query, walked, before, size)
    yield await matching(query, filter, before, last)
    if (!last) return
    before = last
    // A local database never yields to the event loop.
    await nextTurn()
  }
}

/** The conditions that an index covers in the order of time. With more, a window could cost the whole table. */
function pickIndexed({ requestId, userId, channelId, modelName, from, to }: LogFilter): LogFilter {
  if (requestId !== undefined) return { requestId, from, to }
  if (userId !== undefined) return { userId, from, to }
  if (channelId !== undefined) return { channelId, from, to }
  return modelName === undefined || modelName.includes('%') ? { from, to } : { modelName, from, to }
}

/** Resolves with the oldest row of the next `size`; undefined when fewer are left. */
const lastOfWindow = (query: Queries, walked: LogFilter, before: RowMoment | null, size: number) =>
  query
    .selectFrom('logs')
    .select(['created_at', 'id'])
    .where((eb) => eb.and([...logConditions(eb, walked), ...older(eb, before)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(size - 1)
    .executeTakeFirst()

const matching = (query: Queries, filter: LogFilter, before: RowMoment | null, last: RowMoment | undefined) =>
  query
    .selectFrom('logs')
    .selectAll()
    .where((eb) => eb.and([...logConditions(eb, filter), ...older(eb, before), ...notOlder(eb, last)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

type Builder = ExpressionBuilder<Tables, 'logs'>

/**
 * Returns the conditions of rows that come after one in the order of lists. Time and id are separate conditions: for two columns compared as one PostgreSQL does not estimate how few rows lie between, and scans
 * the whole index.
 */
export const older = (eb: Builder, before: RowMoment | null): Expression<SqlBool>[] =>
  before
    ? [
        eb('created_at', '<=', before.created_at),
        eb.or([eb('created_at', '<', before.created_at), eb('id', '<', before.id)]),
      ]
    : []

const notOlder = (eb: Builder, last: RowMoment | undefined) =>
  last
    ? [
        eb('created_at', '>=', last.created_at),
        eb.or([eb('created_at', '>', last.created_at), eb('id', '>=', last.id)]),
      ]
    : []
