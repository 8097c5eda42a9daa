import type { Context } from '../context'
import type { Job } from './leader'

/** Tell users whose balance is low. */
export function watchBalances(context: Context): Job {
  let after = 0
  return {
    name: 'watch-balances',
    everyMs: 15_000,
    async run(signal) {
      const { forgetRaisedBalances, tellLowBalances } = await import('../notices/watch-balances')
      after = await forgetRaisedBalances(context, after)
      while (!signal.aborted && (await tellLowBalances(context))) {
        // As many may wait again.
      }
    },
  }
}
