import type { Context } from '../../context'
import { askToRemove, forgetAsked, removeLogs } from '../../operations/retention/remove-logs'
import type { Removed } from '../../operations/retention/remove-in-parts'
import { createPace } from '../../platform/store/pace'

/** Proxies wait longer. */
const longestMs = 15_000

/**
 * Removes rows of calls from before a moment (seconds), for some seconds; the periodic job of the site does the rest. Resolves with how many
 * are gone by then.
 */
export async function clearLogs(ctx: Context, before: number): Promise<Removed> {
  const { changes, clock, database, metrics } = ctx
  const began = clock.monotonic()
  await askToRemove(database.query, before, clock.now())
  const pace = createPace({ ...ctx, kind: database.kind, calls: () => metrics.answeredCalls })
  const isOver = () => clock.monotonic() - began > longestMs
  const removed = await removeLogs(database.query, { before, pace, isOver })
  if (removed.isDone) await forgetAsked(database.query, before)
  else {
    await database.query
      .transaction()
      .execute((transaction) => changes.announce({ topic: 'retention', refId: 0 }, transaction))
    await changes.deliver()
  }
  return removed
}
