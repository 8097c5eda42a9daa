import { logType, type Page } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Database, Queries } from '../../platform/store/database'
import type { LogRow } from '../../platform/store/tables'
import type { LogRange } from './access-paths'
import { eachLog } from './each-log'
import { callsOf } from './join-calls'
import { listLogs, type LogList, type SearchBudget } from './list-logs'
import type { LogFilter } from './log-filter'
import { chargedHours, sumOfRows, type ChargedHour, type Sums } from './log-sums'
import { sortLogs, type LogOrder } from './sort-logs'

/** Where the rows of the usage log are read, wherever they are stored. */
export interface LogStore {
  /** A range is summed in one statement, however long: it holds up no call. */
  readonly sumsWhole: boolean
  /** Resolves with a page, newest first. */
  list(filter: LogFilter, page: Page, budget?: SearchBudget): Promise<LogList>
  /** Resolves with a page sorted by a figure of calls. */
  sort(filter: LogFilter, page: Page, order: LogOrder, budget?: SearchBudget): Promise<LogList>
  /** Resolves with what the gateway did with a channel by itself, newest first. */
  channelEvents(channelId: number, from: number, limit: number): Promise<ChannelEventRow[]>
  /** Resolves with the sums of the rows in a range; all of the filter's when none is given. */
  sum(filter: LogFilter, range?: Partial<LogRange>): Promise<Sums>
  /** Resolves with the charged calls of each hour from a moment on. */
  hours(from: number): Promise<ChargedHour[]>
  /** Yields all rows, newest first, a list at a time, which may be empty. */
  each(filter: LogFilter): AsyncGenerator<LogRow[]>
  /** Resolves with the rows of these requests, oldest first; `within`: the times at which they may be, where that is known. */
  callsOf(requestIds: readonly string[], within?: LogRange): Promise<LogRow[]>
  find(id: number): Promise<LogRow | undefined>
}

/** The log in the database. */
export const sqlLogs = ({ query, kind }: Pick<Database, 'query' | 'kind'>): LogStore => ({
  sumsWhole: false,
  list: (filter, page, budget) => listLogs(query, filter, page, budget),
  sort: (filter, page, order, budget) => sortLogs({ query, kind }, filter, page, order, budget),
  channelEvents: (channelId, from, limit) => channelEvents(query, channelId, from, limit),
  sum: (filter, range) => sumOfRows(query, filter, range),
  hours: (from) => chargedHours(query, from),
  each: (filter) => eachLog(query, filter),
  callsOf: (requestIds) => callsOf(query, requestIds),
  find: (id) => query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst(),
})

/** A row of the gateway's own actions. */
export type ChannelEventRow = Pick<LogRow, 'id' | 'created_at' | 'content'>

const channelEvents = (query: Queries, channelId: number, from: number, limit: number): Promise<ChannelEventRow[]> =>
  query
    .selectFrom('logs')
    // Rows without a model are few, and have an index: tests of channels, which may run every minute, are not among them.
    .where('model_name', '=', '')
    .where('created_at', '>=', from)
    .where(sql<boolean>`coalesce(type, type) = ${logType.system}`)
    .where(sql<boolean>`coalesce(channel_id, channel_id) = ${channelId}`)
    .select(['id', 'created_at', 'content'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
