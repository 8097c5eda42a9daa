import type { Context } from '../../context'
import type { Job } from './job'

/** Fetches the results of finished tasks to where the site keeps them. */
export const storeResults = (context: Context): Job => ({
  name: 'store-results',
  everyMs: 5000,
  async run(signal) {
    const { query } = context.database
    const due = query
      .selectFrom('tasks')
      .select('id')
      .where('poll_at', '<=', context.clock.now())
      .where('status', '=', 'SUCCESS')
      .limit(1)
    if (!(await due.executeTakeFirst())) return
    // Loaded with the first result.
    const { storeDueResults } = await import('../../tasks/store-results')
    await storeDueResults(context, signal)
  },
})
