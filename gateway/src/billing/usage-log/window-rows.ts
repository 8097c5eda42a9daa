import { logType } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import type { Queries } from '../../platform/store/database'
import type { LogRow } from '../../platform/store/tables'
import { isFolded, isLast, logConditions, type LogFilter } from './log-filter'
import {
  newestOnPath,
  newestRows,
  shareOf,
  typePath,
  type AccessPath,
  type IndexKey,
  type LogRange,
  type Part,
} from './access-paths'
import type { LogWindow } from './log-windows'

/** More than can arrive in the newest window while it is searched: they must not push its oldest rows out. */
const latecomers = 10_000

/** Resolves with how many rows of a window are within the filter. */
export async function countIn(query: Queries, filter: LogFilter, window: LogWindow): Promise<number> {
  const { path, isWhole, rows } = window
  if (path && isWhole) {
    const found = await countOf(query, path, window, rows + latecomers)
    return filter.isJoined ? found - (await foldedIn(query, path, filter, window)) : found
  }
  const { total } = await matching(query, filter, window)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Resolves with the newest rows of a window that are within the filter, after the first `offset`. */
export function rowsIn(query: Queries, filter: LogFilter, window: LogWindow, part: Part): Promise<LogRow[]> {
  const { path, isWhole } = window
  if (path && isWhole)
    return filter.isJoined ? linesOf(query, path, filter, window, part) : rowsOf(query, path, window, part)
  return matching(query, filter, window)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

/** Where a row stands in a sorted list. */
export interface RowPosition {
  readonly id: number
  readonly created_at: number
  /** Null: it has no such figure, and comes last. */
  readonly value: number | null
}

interface PlaceOrder {
  readonly value: RawBuilder<number | null>
  readonly isDescending: boolean
  readonly limit: number
}

/** Resolves with the first places of a window's rows that are within the filter. */
export const rowPositionsIn = (
  query: Queries,
  filter: LogFilter,
  window: LogWindow,
  { value, isDescending, limit }: PlaceOrder,
): Promise<RowPosition[]> =>
  matching(query, filter, window)
    .select(['id', 'created_at', value.as('value')])
    .orderBy(sql`value ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Resolves with these rows, in this order. */
export async function rowsOfIds(query: Queries, ids: readonly number[]): Promise<LogRow[]> {
  if (ids.length === 0) return []
  const rows = await query.selectFrom('logs').selectAll().where('id', 'in', ids).execute()
  const positions = new Map(ids.map((id, index) => [id, index]))
  return rows.sort((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
}

/** Resolves with the rows of an access path with one key; none has to be read to be skipped, as the index alone tells where they begin. */
async function rowsOf(query: Queries, path: AccessPath, range: LogRange, { offset, limit }: Part): Promise<LogRow[]> {
  const first = await newest(query, path, range).select('created_at').limit(1).offset(offset).executeTakeFirst()
  if (!first) return []
  const newer = await countOf(query, path, { from: first.created_at + 1, to: range.to }, offset)
  const rest = { from: range.from, to: first.created_at }
  return newestRows(query, path, onlyKey(path), rest, { offset: offset - newer, limit }).execute()
}

/** Errors are few, and where the path has an index of them it is the one that is read. */
async function foldedIn(query: Queries, path: AccessPath, filter: LogFilter, window: LogRange): Promise<number> {
  if (filter.type !== undefined && filter.type !== logType.error) return 0
  const { total } = await query
    .selectFrom(allOf(query, errorsOn(path, filter), window).as('logs'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where((eb) => isFolded(eb, filter))
    .executeTakeFirstOrThrow()
  return total
}

/** Users and all rows have an index of their errors; of a token, a channel, a group or a model all rows are read. */
const errorsOn = (path: AccessPath, { userId }: LogFilter): AccessPath =>
  path.columns.every((column) => column === 'user_id') ? typePath(logType.error, userId ?? undefined) : path

/** Walks the index past the rows of earlier pages: whether one is a line is in the row. Of a user's rows of one type all are found first. */
function linesOf(query: Queries, path: AccessPath, filter: LogFilter, range: LogRange, { offset, limit }: Part) {
  const rows =
    path.columns.length < 2
      ? newest(query, path, range).selectAll()
      : query
          .selectFrom(allOf(query, path, range).as('logs'))
          .selectAll()
          .orderBy('created_at', 'desc')
  return rows
    .where((eb) => isLast(eb, filter))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Selects all rows of an access path with one key, which are few. */
const allOf = (query: Queries, path: AccessPath, range: LogRange) =>
  path.columns.length < 2
    ? newest(query, path, range).selectAll().limit(unlimited)
    : newestRows(query, path, onlyKey(path), range, { offset: 0, limit: unlimited })

async function countOf(query: Queries, path: AccessPath, range: LogRange, max: number): Promise<number> {
  const { total } = await query
    .selectFrom(newest(query, path, range).select('created_at').limit(max).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const newest = (query: Queries, path: AccessPath, range: LogRange) => newestOnPath(query, path, onlyKey(path), range)

const onlyKey = (path: AccessPath): IndexKey => path.keys[0] ?? []

/** The rows are found by the access path before any other condition is applied: neither database moves conditions into a subquery with a limit. */
function matching(query: Queries, filter: LogFilter, window: LogWindow) {
  const { path } = window
  const rows = path ? onPath(query, path, window) : inSecond(query, filter, window)
  return query.selectFrom(rows.as('logs')).where((eb) => eb.and(logConditions(eb, filter)))
}

function onPath(query: Queries, path: AccessPath, window: LogWindow) {
  const share = shareOf(path, window.rows)
  const [first, ...others] = path.keys.map((key) =>
    query
      .selectFrom(newestRows(query, path, key, window, { offset: 0, limit: share + latecomers }).as('logs'))
      .selectAll(),
  )
  return others.reduce((all, one) => all.unionAll(one), first ?? selectNoRows(query))
}

const selectNoRows = (query: Queries) => query.selectFrom('logs').selectAll().limit(0)

const unlimited = Number.MAX_SAFE_INTEGER

/** Conditions that leave few rows whatever index is used. */
const inSecond = (query: Queries, filter: LogFilter, { from, to }: LogRange) =>
  query
    .selectFrom('logs')
    .selectAll()
    .where((eb) => eb.and(logConditions(eb, { requestId: filter.requestId, from, to })))
    .limit(unlimited)
