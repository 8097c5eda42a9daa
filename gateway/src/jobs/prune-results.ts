import type { Context } from '../context'
import type { Job } from './job'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Removes results of tasks that this machine has kept for as long as the site wants. */
export const pruneResults = (context: Pick<Context, 'catalog' | 'clock' | 'config'>): Job => ({
  name: 'prune-results',
  everyMs: hourMs,
  async run() {
    const { dayOf, pruneResults: prune } = await import('../tasks/result-folder')
    const { TaskResultDays: days } = context.catalog.current.options
    await prune(context, dayOf(context.clock.now() - days * dayMs))
  },
})
