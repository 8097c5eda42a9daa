import type { Context } from '../../context'
import type { Job } from './job'

/** Reports users who spend far more than they used to. */
export const watchSpending = (context: Context): Job => ({
  name: 'watch-spending',
  everyMs: 15 * 60_000,
  async run() {
    const { reportUnusualSpending } = await import('../../messaging/notices/unusual-spending')
    await reportUnusualSpending(context)
  },
})
