import { sql } from 'kysely'

import type { Queries } from '../../platform/store/database'
import { isOfSingleCalls, type LogFilter } from './log-filter'
import { accessPathsOf, timeOfShare, type AccessPath, type LogRange } from './access-paths'
import { nextTurn } from '../../platform/time/timers'

/** A part of time and where its rows are found. */
export interface LogWindow extends LogRange {
  /** Null: a part that is small whichever way it is searched. */
  readonly path: AccessPath | null
  /** All rows of the path are wanted. */
  readonly isWhole: boolean
  /** The most rows of the path. */
  readonly rows: number
  readonly isLast: boolean
}

/** Entries of an index in one window. */
const indexRows = 11_000
/** Rows to read in one window, at first and at least; more where they are read quickly. */
const minRows = 250
const maxRows = 4000
/** How long a call in the same process may have to wait. */
const windowMilliseconds = 8

/**
 * Yields the range of a filter in windows, newest first. Each is as long as the most selective of the filter's conditions allows there, so
 * a window costs the same however the rows are distributed. Windows end with whole seconds: together they contain each row once.
 */
export async function* logWindows(query: Queries, filter: LogFilter, size?: number): AsyncGenerator<LogWindow> {
  const { from = -Number.MAX_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = filter
  if (from > to) return
  if (filter.requestId !== undefined) {
    // The few rows of one call.
    yield { path: null, isWhole: false, rows: 0, from, to, isLast: true }
    return
  }
  const paths = await accessPathsOf(query, filter)
  const isWhole = isCoveredBy(paths, filter)
  let rows = size ?? (isWhole ? indexRows : minRows)
  let range: LogRange = { from, to }
  for (;;) {
    const next = await farthestPath(query, paths, range, rows)
    if (!next) return
    const isLast = next.from <= range.from
    const began = performance.now()
    yield { ...next, isWhole, rows, to: range.to, isLast }
    if (isLast) return
    range = { from: range.from, to: next.from - 1 }
    if (size === undefined && !isWhole) rows = nextRows(rows, performance.now() - began)
    // A local database never yields to the event loop.
    await nextTurn()
  }
}

function nextRows(rows: number, took: number): number {
  if (took < windowMilliseconds / 2) return Math.min(rows * 2, maxRows)
  return took > windowMilliseconds ? Math.max(Math.floor(rows / 2), minRows) : rows
}

/** Returns whether the filter is exactly one access path at one key. */
function isCoveredBy([path, ...others]: readonly AccessPath[], filter: LogFilter): boolean {
  if (!path || others.length > 0 || path.keys.length > 1 || isOfSingleCalls(filter)) return false
  if (filter.without || filter.withoutErrorCodes || filter.withoutIds) return false
  const { userId, tokenName, modelName, modelNames, channelId, group, type } = filter
  const conditions = [userId, tokenName, modelName, modelNames, channelId, group, type].filter(
    (value) => value !== undefined,
  )
  return conditions.length === path.columns.length
}

/** Resolves with the access path whose next rows reach back the furthest, and the time from which it has no more than this many. */
async function farthestPath(query: Queries, paths: readonly AccessPath[], range: LogRange, rows: number) {
  if (paths.length === 0) return undefined
  const times = paths.map((path, index) => sql`(${sql.lit(index)}, ${timeOfShare(query, path, range, rows)})`)
  const found = await sql<{ column1: number; column2: number | null }>`values ${sql.join(times)}`.execute(query)
  const farthest = found.rows
    .map(({ column1, column2 }) => ({ path: paths[column1] ?? null, from: column2 ?? range.from }))
    .reduce((one, other) => (other.from < one.from ? other : one))
  // More rows than that in the last second alone: it is one window.
  return farthest.from > range.to ? { path: null, from: range.to } : farthest
}
