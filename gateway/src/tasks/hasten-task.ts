import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../context'

/**
 * Makes the next question about a task due at once. What a callback says is never believed: its vendor is asked instead. A task that no
 * vendor has accepted yet keeps its time.
 */
export async function hastenTask(
  { changes, clock, database: { query } }: Pick<Context, 'changes' | 'clock' | 'database'>,
  publicId: string,
): Promise<void> {
  const now = clock.now()
  const isMoved = await query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('tasks')
      .set({ poll_at: now })
      .where('public_id', '=', publicId)
      .where('vendor_id', '!=', '')
      .where('status', 'not in', endedTaskStatuses)
      .where('poll_at', '>', now)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    // The worker that polls looks only at what is due soon.
    await changes.announce({ topic: 'task', refId: 0 }, transaction)
    return true
  })
  if (isMoved) await changes.deliver()
}
