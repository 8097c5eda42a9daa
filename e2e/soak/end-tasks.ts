import type { Queries } from '../ledger-audit'
import type { Arena } from './arena'
import { callBack, isOpenTask } from './call-back'

/** A dead leader that no recovery settles is followed by another when its lock expires. */
const timeoutMs = 120_000
const stepMs = 150
const stepsToExpire = 20

/**
 * Waits until all tasks have ended, while their vendors call back. Ends those that would not end by themselves: their vendor hangs, or
 * never accepted them. Resolves with what is left.
 */
export async function endTasks({ gateways: [{ url }], seal }: Arena, queries: Queries): Promise<string[]> {
  const deadline = performance.now() + timeoutMs
  for (let step = 1; ; step += 1) {
    const open = await openTasks(queries)
    if (open === 0) return []
    if (performance.now() > deadline) return [`${open} tasks have not ended`]
    await queries.rows(`update tasks set deadline_at = 1
      where ${isOpenTask} and prompt like '% hang' and deadline_at > 1`)
    await queries.rows(`update tasks set poll_at = 1
      where ${isOpenTask} and vendor_id = '' and poll_at > 1 and platform <> 'batch'`)
    if (step % stepsToExpire === 0)
      // As if the claims of dead workers had expired; those of others do, too, and two workers make one batch.
      await queries.rows(`update batches set claimed_until = 1 where claimed_until > 1`)
    await callBack({ url, seal, queries })
    await Bun.sleep(stepMs)
  }
}

async function openTasks(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ open: number }>(
    `select cast(count(*) as double precision) as open from tasks where ${isOpenTask}`,
  )
  return row?.open ?? 0
}
