import { endedTaskStatuses } from '@tollgate/contract'

import type { Ask } from '../books'
import { hastenTasks } from './task-traffic'

/** A leader that was killed is followed by another when its lock expires. */
const patienceMs = 120_000
const stepMs = 150

const isOpen = `status not in (${endedTaskStatuses.map((status) => `'${status}'`).join(', ')})`
/** Tasks that never end at their vendor: it hangs, or does not know them. */
const isEndless = `(vendor_id = '' or prompt like '% hang')`

/** Waits until all tasks have ended, and lets the deadlines of those pass that end by nothing else. Resolves with what is left. */
export async function endTasks(books: Ask): Promise<string[]> {
  const deadline = performance.now() + patienceMs
  const passed = `update tasks set deadline_at = submitted_at, poll_at = submitted_at where ${isOpen} and ${isEndless} and poll_at > submitted_at`
  for (;;) {
    const open = await openTasks(books)
    if (open === 0) return []
    if (performance.now() > deadline) return [`${open} tasks have not ended`]
    await books.rows(passed)
    await hastenTasks(books)
    await Bun.sleep(stepMs)
  }
}

async function openTasks(books: Ask): Promise<number> {
  const [row] = await books.rows<{ open: number }>(
    `select cast(count(*) as double precision) as open from tasks where ${isOpen}`,
  )
  return row?.open ?? 0
}
