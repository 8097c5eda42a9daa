import { logType } from '@tollgate/contract'

import { deleteTexts } from '../../log-texts/find-texts'
import type { Queries } from '../../store/database'

/** Small enough that a call's charge never waits long for the lock. */
const batchSize = 1000

/**
 * Delete consumption and error rows older than `before` (seconds). What was paid, given and administered stays,
 * and so do the hourly sums. What was said in the calls goes first. Answers how many rows went.
 */
export async function deleteLogs(query: Queries, before: number): Promise<number> {
  await deleteTexts(query, before)
  let deleted = 0
  for (;;) {
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
          .limit(batchSize),
      )
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
    if (Number(numDeletedRows) < batchSize) return deleted
  }
}
