import { logType } from '@tollgate/contract'

import type { LogRow } from '../../../platform/store/tables'
import type { RowMoment } from '../each-log'
import { timesOfCalls } from '../join-calls'
import { callTypes, type LogFilter } from '../log-filter'
import type { LogOrder } from '../sort-logs'
import type { RowPosition } from '../window-rows'
import type { CallRow, StoredRows } from './stored-rows'

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
export async function storedPart(
  stored: StoredRows,
  filter: LogFilter,
  enough: number,
  part: Part,
): Promise<StoredPart> {
  const max = enough + 1
  const plain = { ...filter, isJoined: false }
  if (!filter.isJoined || filter.type === logType.consumption) {
    const [count, rows] = await Promise.all([stored.count(plain, max), stored.newest(plain, part)])
    return { count, rows }
  }
  const end = part.offset + part.limit
  const narrowRows = end * rowsPerLine
  if (filter.type === logType.error || narrowRows > maxNarrowRows) return partOfMany(stored, plain, max, part)
  const [count, newest] = await Promise.all([stored.countUnjoined(plain, max), stored.narrow(plain, narrowRows)])
  if (newest.length < narrowRows) return partOfAll(stored, newest, part)
  const lines = withoutFoldedRows(newest)
  if (count < max || lines.length < end) return partOfMany(stored, plain, max, part)
  return { count, rows: await stored.rowsAt(lines.slice(part.offset, end)) }
}

/** Which of all the failed attempts stand for their calls would take long to find: it is found among the newest rows that are enough for both. */
async function partOfMany(stored: StoredRows, plain: LogFilter, max: number, part: Part): Promise<StoredPart> {
  for (let rows = max * rowsPerLine; ; rows *= 4) {
    const from = await stored.momentAt(plain, rows)
    if (from === undefined) return partOfAll(stored, await stored.narrow(plain), part)
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
export async function sortedLines(
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

/** Resolves with the same of all rows of a filter, which are few. */
async function partOfAll(stored: StoredRows, all: readonly CallRow[], { offset, limit }: Part): Promise<StoredPart> {
  const lines = withoutFoldedRows(all)
  return { count: lines.length, rows: await stored.rowsAt(lines.slice(offset, offset + Math.max(limit, 0))) }
}

/** Returns the rows that stand for their calls. All rows of a call that are newer than one of these must be among them. */
function withoutFoldedRows(rows: readonly CallRow[]): readonly CallRow[] {
  const folded = new Set(foldedIds(rows, rows))
  return rows.filter(({ id }) => !folded.has(id))
}

/** Returns the ids of failed attempts that a newer row of their call among the others stands for. */
export function foldedIds(rows: readonly CallRow[], others: readonly CallRow[]): number[] {
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

export const isNewer = (one: RowMoment, other: RowMoment): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id)

/** Returns the filter without these rows. */
export const withoutRows = (filter: LogFilter, ids: readonly number[]): LogFilter =>
  ids.length === 0 ? filter : { ...filter, withoutIds: ids }
