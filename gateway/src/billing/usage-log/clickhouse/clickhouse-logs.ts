import { logType, type Page } from '@tollgate/contract'

import { AppError } from '../../../platform/app-error'
import type { ClickHouse } from '../../../platform/store/clickhouse/clickhouse'
import type { Database } from '../../../platform/store/database'
import type { LogRow } from '../../../platform/store/tables'
import type { LogRange } from '../access-paths'
import { eachLog, type RowMoment } from '../each-log'
import { maxExactTotal, type LogList, type SearchBudget } from '../list-logs'
import { callTypes, type LogFilter } from '../log-filter'
import { addSums, type ChargedHour, type Sums } from '../log-sums'
import { sqlLogs, type ChannelEventRow, type LogStore } from '../log-store'
import { mergeSorted, sortedBeginning, sortedEnd, sortedTotal, type LogOrder } from '../sort-logs'
import { rowsOfIds } from '../window-rows'
import { readShipments } from './shipments'
import { StoredRows, type CallRow } from './stored-rows'

/** A shipment may end while its rows are read here and there; then they are read again. */
const maxTries = 10
const rowsAtOnce = 1000
/** Rows of calls that were not shipped yet, among whose attempts some may have been. More are there only after an outage. */
const maxTailCalls = 20_000

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
        const window = await windowOf(stored, filter, enough)
        // No row of the tail can push what comes before these onto the page.
        const offset = Math.max(page.offset - tail.items.length, 0)
        const rows = await stored.newest(window.filter, { offset, limit: end - offset })
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
          stored.sorted(filter, order, end),
          stored.count(filter, Number.MAX_SAFE_INTEGER),
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

  callsOf(requestIds: readonly string[]): Promise<LogRow[]> {
    return this.#read(
      async (stored) => {
        if (requestIds.length === 0) return []
        const [tail, rows] = await Promise.all([this.#tail.callsOf(requestIds), stored.callsOf(requestIds)])
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
    const tail = await this.#tailCalls(filter)
    if (tail.length === 0) return { tail: filter, stored: filter }
    const others = await stored.callRows(filter, [...new Set(tail.map(({ request_id: id }) => id))])
    return {
      tail: { ...filter, withoutIds: foldedIds(tail, others) },
      stored: { ...filter, withoutIds: foldedIds(others, tail) },
    }
  }

  async #tailCalls(filter: LogFilter): Promise<CallRow[]> {
    const rows: CallRow[] = []
    for await (const some of eachLog(this.#database.query, { ...filter, isJoined: false })) {
      rows.push(...some.filter(({ type, request_id: id }) => callTypes.includes(type) && id !== ''))
      if (rows.length >= maxTailCalls) break
    }
    return rows
  }
}

/** Returns a filter of what a search of the tail came to. */
const withinSearch = (filter: LogFilter, until: number | null): LogFilter =>
  until === null ? filter : { ...filter, from: Math.max(filter.from ?? until, until) }

interface CountedWindow {
  readonly filter: LogFilter
  readonly count: number
}

/** More than are joined to others in most logs. */
const rowsPerLine = 3

/**
 * Resolves with the filter within the newest rows that are enough for a page and its total, and their count. Which of all the failed
 * attempts stand for their calls would take long to find.
 */
async function windowOf(stored: StoredRows, filter: LogFilter, enough: number): Promise<CountedWindow> {
  const max = enough + 1
  if (!filter.isJoined) return { filter, count: await stored.count(filter, max) }
  for (let rows = max * rowsPerLine; ; rows *= 4) {
    const from = await stored.momentAt(filter, rows)
    const within = from === undefined ? filter : { ...filter, from }
    const count = await stored.count(within, max)
    if (from === undefined || count >= max) return { filter: within, count }
  }
}

/** Returns the ids of failed attempts that a newer row of their call among the others stands for; undefined: there is none. */
function foldedIds(rows: readonly CallRow[], others: readonly CallRow[]): number[] | undefined {
  const newest = new Map<string, CallRow>()
  for (const row of others) {
    const known = newest.get(row.request_id)
    if (!known || isNewer(row, known)) newest.set(row.request_id, row)
  }
  const folded = rows.filter((row) => {
    const other = newest.get(row.request_id)
    return row.type === logType.error && other && isNewer(other, row)
  })
  return folded.length === 0 ? undefined : folded.map(({ id }) => id)
}

const isNewer = (one: RowMoment, other: RowMoment): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id)

/** Returns the rows of two lists, newest first. */
const mergeNewest = <Row extends RowMoment>(some: readonly Row[], others: readonly Row[]): Row[] =>
  [...some, ...others].sort((one, other) => (isNewer(one, other) ? -1 : 1))
