import { logRoutes, logType, role } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { deleteTexts } from '../../log-texts/find-texts'
import type { Queries } from '../../store/database'
import { noteRemoval } from '../../store/log-kept-since'
import type { Pace } from '../../store/pace'

const day = 24 * 3600

/**
 * Checks whether a caller of that role may delete the rows before this moment: an administrator cannot erase recent events.
 * @throws AppError `log.timestamp`, `log.timestamp_future`, `log.recent`.
 */
export function checkDeletable(before: number | undefined, now: number, callerRole: number): asserts before is number {
  if (!before || before < 0) throw new AppError('log.timestamp')
  if (before > now) throw new AppError('log.timestamp_future')
  const { daysKeptFromAdmins: days } = logRoutes
  if (callerRole < role.root && before > now - days * day) throw new AppError('log.recent', { params: { days } })
}

/**
 * Deletes consumption and error rows older than `before` (seconds). Payments, gifts and administration stay, and so do the hourly rollups.
 * Conversations are deleted first. Resolves with the number of deleted rows.
 */
export async function deleteLogs(query: Queries, before: number, pace: Pace): Promise<number> {
  await noteRemoval(query, before)
  await deleteTexts(query, before, pace)
  let deleted = 0
  for (;;) {
    const limit = pace.rows
    const gone = await pace.part(() => deleteOldest(query, before, limit))
    deleted += gone
    if (gone < limit) return deleted
  }
}

async function deleteOldest(query: Queries, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('logs')
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
    .executeTakeFirst()
  return Number(numDeletedRows)
}
