import { hourMs, dayMs } from '@tollgate/contract'
import type { Context } from '../../context'
import type { Job } from './job'

/** Removes results of tasks that were kept for as long as the site wants: of this machine, and of the bucket. */
export const pruneResults = (context: Pick<Context, 'catalog' | 'clock' | 'config' | 'fetch' | 'timers'>): Job => ({
  name: 'prune-results',
  everyMs: hourMs,
  async run(signal) {
    const { dayOf, pruneResults: prune } = await import('../../tasks/result-folder')
    const { bucketOf } = await import('../../tasks/bucket/bucket')
    const { options } = context.catalog.current
    const oldest = dayOf(context.clock.now() - options.TaskResultDays * dayMs)
    await prune(context, oldest)
    const bucket = bucketOf(options)
    if (!bucket) return
    const { pruneBucket } = await import('../../tasks/bucket/prune-bucket')
    await pruneBucket(context, bucket, oldest, signal)
  },
})
