import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../context'
import { builtQuery } from '../store/built-query'
import type { Job } from './job'

/** Waits for tasks that become due this soon, because the leader runs this job only every five seconds. */
const aheadMs = 5000
const stepMs = 250

/** Polls vendors for the tasks that have not ended. */
export function pollTasks(context: Context): Job {
  const { query } = context.database
  const nextTask = builtQuery(
    query,
    query
      .selectFrom('tasks')
      .select('poll_at')
      .where('poll_at', 'is not', null)
      .where('status', 'not in', endedTaskStatuses)
      .orderBy('poll_at')
      .limit(1),
  )
  return {
    name: 'poll-tasks',
    everyMs: 1000,
    async run(signal) {
      while (!signal.aborted) {
        const [next] = await nextTask(...endedTaskStatuses, 1)
        const waitMs = (next?.poll_at ?? Infinity) - context.clock.now()
        if (waitMs > aheadMs) return
        if (waitMs > 0) await Bun.sleep(Math.min(waitMs, stepMs))
        else {
          // Loaded with the first task.
          const { pollTasks: poll } = await import('../tasks/poll-tasks')
          await poll(context, signal)
        }
      }
    },
  }
}
