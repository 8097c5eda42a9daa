import { logRoutes, logType, role, daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'
import { z } from 'zod'

import { AppError } from '../../platform/app-error'
import type { Database, Queries } from '../../platform/store/database'
import { raiseNote, readNote } from '../../platform/store/site-notes'
import { dropMonths } from './log-partitions'
import { noteRemoval } from './read-retained-since'
import { partOf, removeInParts, type Part, type Removal, type Removed } from './remove-in-parts'

const maxTexts = 200

/**
 * Checks whether a caller of that role may delete the rows before this moment: an administrator cannot erase recent events.
 * @throws AppError `log.timestamp`, `log.timestamp_future`, `log.recent`.
 */
export function checkDeletable(before: number | undefined, now: number, callerRole: number): asserts before is number {
  if (!before || before < 0) throw new AppError('log.timestamp')
  if (before > now) throw new AppError('log.timestamp_future')
  const { adminDeletableAfterDays: days } = logRoutes
  if (callerRole < role.root && before > now - days * daySeconds) throw new AppError('log.recent', { params: { days } })
}

/**
 * Removes consumption and error rows: of PostgreSQL whole months at once, the others a part at a time. Payments, gifts and administration
 * stay, and so do the hourly rollups. Conversations are removed first.
 */
export async function removeLogs(database: Pick<Database, 'kind' | 'query'>, removal: Removal): Promise<Removed> {
  const { before, pace, isOver } = removal
  const { query } = database
  await noteRemoval(query, 'log', before)
  const texts = await removeInParts({ before, pace, isOver, maxRows: maxTexts }, (rows) =>
    removeTexts(query, before, rows),
  )
  if (!texts.isDone) return { count: 0, isDone: false }
  const dropped = await dropMonths(database, before, isOver)
  if (!dropped.isDone) return dropped
  const removed = await removeInParts(removal, (rows) => removeOldest(database, before, rows))
  return { ...removed, count: dropped.count + removed.count }
}

async function removeOldest(
  { kind, query }: Pick<Database, 'kind' | 'query'>,
  before: number,
  limit: number,
): Promise<Part> {
  const rows = await query
    .deleteFrom('logs')
    // Tells PostgreSQL in which partitions the ids are; SQLite would look for the rows by their time.
    .$if(kind === 'postgres', (rows) => rows.where('created_at', '<', before))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('logs')
        .select('id')
        .where('created_at', '<', before)
        .where('type', 'in', [logType.consumption, logType.error])
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit),
    )
    .returning('created_at')
    .execute()
  return partOf(rows.map(({ created_at: at }) => at))
}

/** What an administrator asked for, until it is done. */
const removalRequestNote = 'log-removal-asked'

/** Resolves with the moment before which rows were asked to be removed; 0: nothing is left to do. */
export const readRemovalRequest = async (query: Queries): Promise<number> =>
  (await readNote(query, removalRequestNote, z.number())) ?? 0

/** Keeps what was asked for, so that it is finished whatever becomes of the process. */
export const requestRemoval = (query: Queries, before: number, nowMs: number): Promise<void> =>
  raiseNote(query, removalRequestNote, before, nowMs)

/** Forgets what was asked for, unless it was for more. */
export async function clearRemovalRequest(query: Queries, before: number): Promise<void> {
  await query
    .deleteFrom('site_notes')
    .where('name', '=', removalRequestNote)
    .where(sql<boolean>`cast(value as bigint) <= ${before}`)
    .execute()
}

/** Removes the oldest texts of calls before a moment (seconds). */
export async function removeTexts(query: Queries, before: number, limit: number): Promise<Part> {
  const rows = await query
    .deleteFrom('log_texts')
    .where('request_id', 'in', (eb) =>
      eb
        .selectFrom('log_texts')
        .select('request_id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .returning('created_at')
    .execute()
  return partOf(rows.map(({ created_at: at }) => at))
}
