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
import { rowsOfIds, type RowPosition } from '../window-rows'
import { readShipments } from './shipments'
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
        const window = await partOf(stored, filter, enough, part)
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

const withoutRows = (filter: LogFilter, ids: readonly number[]): LogFilter =>
  ids.length === 0 ? filter : { ...filter, withoutIds: ids }

/** Returns a filter of what a search of the tail came to. */
const withinSearch = (filter: LogFilter, until: number | null): LogFilter =>
  until === null ? filter : { ...filter, from: Math.max(filter.from ?? until, until) }

interface StoredPart {
  /** All lines within the filter, counted up to one more than is enough. */
  readonly count: number
  readonly rows: readonly LogRow[]
}

interface Part {
  readonly offset: number
  readonly limit: number
}

/** More than are joined to others in most logs. */
const rowsPerLine = 3
/** Rows of which the page is made here, and not by ClickHouse. */
const maxNarrowRows = 1000

/** Resolves with a part of a list and its total. Most lists have enough charged calls for the total, and their newest rows are enough for the page. */
async function partOf(stored: StoredRows, filter: LogFilter, enough: number, part: Part): Promise<StoredPart> {
  const max = enough + 1
  const plain = { ...filter, isJoined: false }
  if (!filter.isJoined || filter.type === logType.consumption) {
    const [count, rows] = await Promise.all([stored.count(plain, max), stored.newest(plain, part)])
    return { count, rows }
  }
  const end = part.offset + part.limit
  if (filter.type === logType.error || end * rowsPerLine > maxNarrowRows) return partOfMany(stored, plain, max, part)
  const [count, newest] = await Promise.all([stored.countUnjoined(plain, max), stored.narrow(plain, end * rowsPerLine)])
  const lines = withoutFoldedRows(newest)
  if (count < max || lines.length < end) return partOfMany(stored, plain, max, part)
  return { count, rows: await stored.rowsAt(lines.slice(part.offset, end)) }
}

/** Which of all the failed attempts stand for their calls would take long to find: it is found among the newest rows that are enough for both. */
async function partOfMany(stored: StoredRows, plain: LogFilter, max: number, part: Part): Promise<StoredPart> {
  for (let rows = max * rowsPerLine; ; rows *= 4) {
    const from = await stored.momentAt(plain, rows)
    if (from === undefined) return partOfAll(stored, plain, part)
    const within = { ...plain, from }
    const ids = [...(plain.withoutIds ?? []), ...(await stored.foldedIds(within))]
    const lines = withoutRows(within, ids)
    const [count, newest] = await Promise.all([stored.count(lines, max), stored.newest(lines, part)])
    if (count >= max) return { count, rows: newest }
  }
}

/**
 * Resolves with the first lines of a sorted list. Which of all failed attempts are joined to others would take long to find: it is found of the
 * first rows, which are enough unless most of them are such attempts.
 */
async function sortedLines(
  stored: StoredRows,
  filter: LogFilter,
  order: LogOrder,
  limit: number,
): Promise<readonly RowPosition[]> {
  if (!filter.isJoined || filter.type === logType.consumption) return stored.sorted(filter, order, limit)
  const rows = await stored.sorted({ ...filter, isJoined: false }, order, limit * 2)
  const failed = rows.filter(({ type, request_id: id }) => type === logType.error && id !== '')
  const requestIds = [...new Set(failed.map(({ request_id: id }) => id))]
  const calls = failed.length === 0 ? [] : await stored.callRows(filter, requestIds, timesOfCalls(failed))
  const folded = new Set(foldedIds(failed, calls))
  const lines = rows.filter(({ id }) => !folded.has(id))
  return lines.length >= limit || rows.length < limit * 2 ? lines.slice(0, limit) : stored.sorted(filter, order, limit)
}

/** Resolves with the same of a filter with so few rows that all of them are read. */
async function partOfAll(stored: StoredRows, filter: LogFilter, { offset, limit }: Part): Promise<StoredPart> {
  const lines = withoutFoldedRows(await stored.narrow(filter))
  return { count: lines.length, rows: await stored.rowsAt(lines.slice(offset, offset + Math.max(limit, 0))) }
}

/** Returns the rows that stand for their calls. All rows of a call that are newer than one of these must be among them. */
function withoutFoldedRows(rows: readonly CallRow[]): readonly CallRow[] {
  const folded = new Set(foldedIds(rows, rows))
  return rows.filter(({ id }) => !folded.has(id))
}

/** Returns the ids of failed attempts that a newer row of their call among the others stands for. */
function foldedIds(rows: readonly CallRow[], others: readonly CallRow[]): number[] {
  const newest = new Map<string, CallRow>()
  for (const row of others) {
    if (row.request_id === '' || !callTypes.includes(row.type)) continue
    const known = newest.get(row.request_id)
    if (!known || isNewer(row, known)) newest.set(row.request_id, row)
  }
  const folded = rows.filter((row) => {
    const other = newest.get(row.request_id)
    return row.type === logType.error && other && isNewer(other, row)
  })
  return folded.map(({ id }) => id)
}

const isNewer = (one: RowMoment, other: RowMoment): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id)

/** Returns the rows of two lists, newest first. */
const mergeNewest = <Row extends RowMoment>(some: readonly Row[], others: readonly Row[]): Row[] =>
  [...some, ...others].sort((one, other) => (isNewer(one, other) ? -1 : 1))
