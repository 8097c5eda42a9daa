import { logRoutes, logType, type Page } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { ClickHouse } from '../../../platform/store/clickhouse/clickhouse'
import type { Database } from '../../../platform/store/database'
import type { LogRow } from '../../../platform/store/tables'
import type { LogRange } from '../access-paths'
import { eachLog, type RowMoment } from '../each-log'
import { maxExactTotal, type LogList, type SearchBudget } from '../list-logs'
import { nextTurn } from '../../../platform/time/timers'
import { timesOfCalls } from '../join-calls'
import { callTypes, logConditions, type LogFilter } from '../log-filter'
import { addSums, type ChargedHour, type Sums } from '../log-sums'
import { sqlLogs, type ChannelEventRow, type LogStore } from '../log-store'
import { mergeSorted, sortedBeginning, sortedEnd, sortedTotal, type LogOrder } from '../sort-logs'
import { rowsOfIds } from '../window-rows'
import { readShipments } from './shipments'
import { foldedIds, isNewer, sortedLines, storedPart, withoutRows } from './stored-lists'
import { StoredRows, type CallRow } from './stored-rows'

/** A shipment may end while its rows are read here and there; then they are read again. */
const maxTries = 10
const rowsAtOnce = 1000
/** Calls that are looked up in one query. */
const callsAtOnce = 20_000

/**
 * The log in ClickHouse, with what was not shipped yet from the database: the same answers as of a log that is in the database as a whole. While
 * much waits to be shipped, searches end early, as searches in the database do.
 */
export class ClickHouseLogs implements LogStore {
  readonly sumsWhole = true
  readonly #database: Pick<Database, 'kind' | 'query'>
  readonly #clickHouse: Pick<ClickHouse, 'query'>
  readonly #tail: LogStore

  constructor(database: Pick<Database, 'kind' | 'query'>, clickHouse: Pick<ClickHouse, 'query'>) {
    this.#database = database
    this.#clickHouse = clickHouse
    this.#tail = sqlLogs(database)
  }

  list(requested: LogFilter, page: Page, budget?: SearchBudget): Promise<LogList> {
    return this.#read(
      async (stored) => {
        const filters = await this.#withoutFolded(requested, stored)
        const end = page.offset + page.size
        const tail = await this.#tail.list(filters.tail, { ...page, offset: 0, size: end }, budget)
        const filter = withinSearch(filters.stored, tail.searchedUntil)
        const enough = Math.max(maxExactTotal, end)
        // No row of the tail can push what comes before these onto the page.
        const offset = Math.max(page.offset - tail.items.length, 0)
        const part = { offset, limit: end - offset }
        const window = await storedPart(stored, filter, enough, part)
        const { rows } = window
        const items = mergeNewest(tail.items, rows).slice(page.offset - offset, end - offset)
        const counted = tail.total + window.count
        if (counted > enough || (tail.isTotalLowerBound && tail.searchedUntil === null)) {
          const total = Math.max(maxExactTotal, Math.min(counted, end + 1))
          return { items, total, isTotalLowerBound: true, searchedUntil: null }
        }
        return { ...tail, items, total: counted }
      },
      () => this.#tail.list(requested, page, budget),
    )
  }

  sort(requested: LogFilter, page: Page, order: LogOrder, budget?: SearchBudget): Promise<LogList> {
    return this.#read(
      async (stored) => {
        const filters = await this.#withoutFolded(requested, stored)
        const end = sortedEnd(page)
        const tail = await sortedBeginning(this.#database, filters.tail, end, order, budget)
        const filter = withinSearch(filters.stored, tail.searchedUntil)
        const [first, count] = await Promise.all([
          sortedLines(stored, filter, order, end),
          stored.countLines(filter, logRoutes.maxSortedLogs + 1),
        ])
        const shown = mergeSorted(tail.first, first, order.isDescending).slice(page.offset, end)
        const inTail = new Set(tail.first.map(({ id }) => id))
        const [some, others] = await Promise.all([
          rowsOfIds(
            this.#database.query,
            shown.flatMap(({ id }) => (inTail.has(id) ? id : [])),
          ),
          stored.rowsAt(shown.filter(({ id }) => !inTail.has(id))),
        ])
        const rows = new Map([...some, ...others].map((row) => [row.id, row]))
        const items = shown.flatMap(({ id }) => rows.get(id) ?? [])
        return { items, ...sortedTotal({ ...tail, counted: tail.counted + count }) }
      },
      () => this.#tail.sort(requested, page, order, budget),
    )
  }

  channelEvents(channelId: number, from: number, limit: number): Promise<ChannelEventRow[]> {
    const tail = () => this.#tail.channelEvents(channelId, from, limit)
    return this.#read(async (stored) => {
      const filter = { modelName: '', type: logType.system, channelId, from }
      const [some, others] = await Promise.all([tail(), stored.after(filter, null, limit)])
      return mergeNewest<ChannelEventRow>(some, others).slice(0, limit)
    }, tail)
  }

  sum(filter: LogFilter, range: Partial<LogRange> = {}): Promise<Sums> {
    return this.#read(
      async (stored) => {
        const [tail, sums] = await Promise.all([this.#tail.sum(filter, range), stored.sum(filter, range)])
        return addSums(tail, sums)
      },
      () => this.#tail.sum(filter, range),
    )
  }

  hours(from: number): Promise<ChargedHour[]> {
    return this.#read(
      async (stored) => {
        const hours = new Map<number, ChargedHour>()
        for (const one of [...(await this.#tail.hours(from)), ...(await stored.hours(from))]) {
          const { count = 0, quota = 0 } = hours.get(one.hour) ?? {}
          hours.set(one.hour, { ...one, count: count + one.count, quota: quota + one.quota })
        }
        return [...hours.values()]
      },
      () => this.#tail.hours(from),
    )
  }

  async *each(filter: LogFilter): AsyncGenerator<LogRow[]> {
    for (let before: RowMoment | null = null; ;) {
      const from: RowMoment | null = before
      const tail = () => this.#tailAfter(filter, from)
      const rows: LogRow[] = await this.#read(async (stored) => {
        const [some, others] = await Promise.all([tail(), stored.after(filter, from, rowsAtOnce)])
        return mergeNewest(some, others).slice(0, rowsAtOnce)
      }, tail)
      yield rows
      before = rows.at(-1) ?? null
      if (rows.length < rowsAtOnce) return
    }
  }

  callsOf(requestIds: readonly string[], within?: LogRange): Promise<LogRow[]> {
    return this.#read(
      async (stored) => {
        if (requestIds.length === 0) return []
        const [tail, rows] = await Promise.all([this.#tail.callsOf(requestIds), stored.callsOf(requestIds, within)])
        return mergeNewest(tail, rows).toReversed()
      },
      () => this.#tail.callsOf(requestIds),
    )
  }

  find(id: number): Promise<LogRow | undefined> {
    const tail = () => this.#tail.find(id)
    return this.#read(async (stored) => (await tail()) ?? stored.find(id), tail)
  }

  /** Reads from both as of one moment; from the database alone while nothing has been shipped. @throws AppError `gateway.busy`. */
  async #read<Result>(read: (stored: StoredRows) => Promise<Result>, readTail: () => Promise<Result>): Promise<Result> {
    const { query } = this.#database
    for (let tries = 0; tries < maxTries; tries += 1) {
      const shipments = await readShipments(query)
      const result = shipments?.ended ? await read(new StoredRows(this.#clickHouse.query, shipments)) : await readTail()
      const now = await readShipments(query)
      if (now?.ended === shipments?.ended || (!now?.ended && !shipments?.ended)) return result
    }
    throw new AppError('gateway.busy')
  }

  async #tailAfter(filter: LogFilter, before: RowMoment | null): Promise<LogRow[]> {
    const rows: LogRow[] = []
    for await (const some of eachLog(this.#database.query, filter, rowsAtOnce, before)) {
      rows.push(...some)
      if (rows.length >= rowsAtOnce) break
    }
    return rows.slice(0, rowsAtOnce)
  }

  /** Returns filters without failed attempts for which a newer row of their call stands that is in the other place. */
  async #withoutFolded(filter: LogFilter, stored: StoredRows): Promise<{ tail: LogFilter; stored: LogFilter }> {
    if (!filter.isJoined || filter.type === logType.consumption) return { tail: filter, stored: filter }
    const ids = { tail: [] as number[], stored: [] as number[] }
    for await (const tail of this.#tailCalls(filter)) {
      const requestIds = [...new Set(tail.map(({ request_id: id }) => id))]
      const others = await stored.callRows(filter, requestIds, timesOfCalls(tail))
      ids.tail.push(...foldedIds(tail, others))
      ids.stored.push(...foldedIds(others, tail))
    }
    return { tail: withoutRows(filter, ids.tail), stored: withoutRows(filter, ids.stored) }
  }

  /** Yields the rows of calls that were not shipped yet, some at a time: many are there after an outage. */
  async *#tailCalls(filter: LogFilter): AsyncGenerator<CallRow[]> {
    let last = -1
    for (let calls: CallRow[] = []; ;) {
      const rows = await this.#database.query
        .selectFrom('logs')
        .select(['id', 'created_at', 'type', 'request_id'])
        .where((eb) => eb.and(logConditions(eb, { ...filter, isJoined: false })))
        .where('id', '>', last)
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute()
      calls.push(...rows.filter(({ type, request_id: id }) => callTypes.includes(type) && id !== ''))
      last = rows.at(-1)?.id ?? last
      const isEnd = rows.length < rowsAtOnce
      if (calls.length > 0 && (isEnd || calls.length >= callsAtOnce)) {
        yield calls
        calls = []
      }
      if (isEnd) return
      // A local database never yields to the event loop.
      await nextTurn()
    }
  }
}

/** Returns a filter of what a search of the tail came to. */
const withinSearch = (filter: LogFilter, until: number | null): LogFilter =>
  until === null ? filter : { ...filter, from: Math.max(filter.from ?? until, until) }

/** Returns the rows of two lists, newest first. */
const mergeNewest = <Row extends RowMoment>(some: readonly Row[], others: readonly Row[]): Row[] =>
  [...some, ...others].sort((one, other) => (isNewer(one, other) ? -1 : 1))
