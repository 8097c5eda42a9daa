import type { Queries } from '../../store/database'
import type { LogRow } from '../../store/tables'
import { logConditions, type LogFilter } from './log-filter'
import { newestInLane, newestRows, shareOf, type Lane, type LaneKey, type LogRange, type Part } from './log-lanes'
import type { LogWindow } from './log-windows'

/** More than can arrive in the newest window while it is searched: they must not push its oldest rows out. */
const latecomers = 10_000

/** Resolves with how many rows of a window are within the filter. */
export async function countIn(query: Queries, filter: LogFilter, window: LogWindow): Promise<number> {
  const { lane, isWhole, rows } = window
  if (lane && isWhole) return countOf(query, lane, window, rows + latecomers)
  const { total } = await matching(query, filter, window)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Resolves with the newest rows of a window that are within the filter, after the first `offset`. */
export function rowsIn(query: Queries, filter: LogFilter, window: LogWindow, part: Part): Promise<LogRow[]> {
  const { lane, isWhole } = window
  if (lane && isWhole) return rowsOf(query, lane, window, part)
  return matching(query, filter, window)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
}

/** Resolves with the rows of a lane with one key; none has to be read to be skipped, as the index alone tells where they begin. */
async function rowsOf(query: Queries, lane: Lane, range: LogRange, { offset, limit }: Part): Promise<LogRow[]> {
  const first = await newest(query, lane, range).select('created_at').limit(1).offset(offset).executeTakeFirst()
  if (!first) return []
  const newer = await countOf(query, lane, { from: first.created_at + 1, to: range.to }, offset)
  const rest = { from: range.from, to: first.created_at }
  return newestRows(query, lane, onlyKey(lane), rest, { offset: offset - newer, limit }).execute()
}

async function countOf(query: Queries, lane: Lane, range: LogRange, most: number): Promise<number> {
  const { total } = await query
    .selectFrom(newest(query, lane, range).select('created_at').limit(most).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const newest = (query: Queries, lane: Lane, range: LogRange) => newestInLane(query, lane, onlyKey(lane), range)

const onlyKey = (lane: Lane): LaneKey => lane.keys[0] ?? []

/** The rows are found by the lane before any other condition is applied: neither database moves conditions into a subquery with a limit. */
function matching(query: Queries, filter: LogFilter, window: LogWindow) {
  const { lane } = window
  const rows = lane ? inLane(query, lane, window) : inSecond(query, filter, window)
  return query.selectFrom(rows.as('logs')).where((eb) => eb.and(logConditions(eb, filter)))
}

function inLane(query: Queries, lane: Lane, window: LogWindow) {
  const share = shareOf(lane, window.rows)
  const [first, ...others] = lane.keys.map((key) =>
    query
      .selectFrom(newestRows(query, lane, key, window, { offset: 0, limit: share + latecomers }).as('logs'))
      .selectAll(),
  )
  return others.reduce((all, one) => all.unionAll(one), first ?? nothing(query))
}

const nothing = (query: Queries) => query.selectFrom('logs').selectAll().limit(0)

const unlimited = Number.MAX_SAFE_INTEGER

/** Conditions that leave few rows whatever index is used. */
const inSecond = (query: Queries, filter: LogFilter, { from, to }: LogRange) =>
  query
    .selectFrom('logs')
    .selectAll()
    .where((eb) => eb.and(logConditions(eb, { requestId: filter.requestId, from, to })))
    .limit(unlimited)
