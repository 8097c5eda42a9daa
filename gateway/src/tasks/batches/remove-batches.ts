import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'

const batchesAtOnce = 20
const linesAtOnce = 500

/** Removes the lines of batches whose time is over, and those whose creation was cut short. Their tasks stay, as of all other work. */
export async function removeExpiredBatches(
  { clock, database: { query } }: Pick<Context, 'clock' | 'database'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await query
      .selectFrom('batches')
      .select('task_id')
      .where('expires_at', '<=', clock.seconds())
      .where('claimed_until', 'is', null)
      .orderBy('expires_at')
      .limit(batchesAtOnce)
      .execute()
    for (const { task_id: id } of rows) {
      await removeLines(query, id)
      await query.deleteFrom('batches').where('task_id', '=', id).execute()
    }
    if (rows.length < batchesAtOnce) return
  }
}

/** Removes requests and results of a batch, which has ended. */
export async function removeLines(query: Queries, batchId: string): Promise<void> {
  for (let below = linesAtOnce; ; below += linesAtOnce) {
    await query.deleteFrom('batch_lines').where('batch_id', '=', batchId).where('line', '<', below).execute()
    const left = await query
      .selectFrom('batch_lines')
      .select('line')
      .where('batch_id', '=', batchId)
      .limit(1)
      .executeTakeFirst()
    if (!left) return
  }
}
