import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import { lineState, nextLines, type LineState } from './batch-lines'

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

/** Removes requests and results of a batch, which has ended; those in these states alone where some are given. */
export async function removeLines(
  query: Queries,
  batchId: string,
  states: readonly LineState[] = Object.values(lineState),
): Promise<void> {
  for (let after = 0; ;) {
    const lines = await nextLines(query, batchId, { states, limit: linesAtOnce, after })
    if (lines.length === 0) return
    await query.deleteFrom('batch_lines').where('batch_id', '=', batchId).where('line', 'in', lines).execute()
    after = lines.at(-1) ?? after
  }
}
