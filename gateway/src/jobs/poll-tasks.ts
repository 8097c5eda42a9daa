import { endedTaskStatuses } from '@tollgate/contract'

import type { Context } from '../context'
import type { Job } from './job'

/** Waits for tasks that become due this soon, because the leader runs this job only every five seconds. */
const aheadMs = 5000
const stepMs = 250

/** Polls vendors for the tasks that have not ended. */
export const pollTasks = (context: Context): Job => ({
  name: 'poll-tasks',
  everyMs: 1000,
  async run(signal) {
    const { query } = context.database
    const next = query
      .selectFrom('tasks')
      .select('poll_at')
      .where('poll_at', 'is not', null)
      .where('status', 'not in', endedTaskStatuses)
      .orderBy('poll_at')
      .limit(1)
    while (!signal.aborted) {
      const dueAt = (await next.executeTakeFirst())?.poll_at ?? Infinity
      const waitMs = dueAt - context.clock.now()
      if (waitMs > aheadMs) return
      if (waitMs > 0) await Bun.sleep(Math.min(waitMs, stepMs))
      else {
        // Loaded with the first task.
        const { pollTasks: poll } = await import('../tasks/poll-tasks')
        await poll(context, signal)
      }
    }
  },
})
