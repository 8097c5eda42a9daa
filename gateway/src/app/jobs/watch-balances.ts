import type { Context } from '../../context'
import type { Job } from './job'

/** Notifies users whose balance is low. */
export const watchBalances = (context: Context): Job => ({
  name: 'watch-balances',
  everyMs: 15_000,
  async run(signal) {
    const { notifyLowBalances } = await import('../../messaging/notices/watch-balances')
    while (!signal.aborted && (await notifyLowBalances(context))) {
      // As many may be waiting again.
    }
  },
})
