import type { Context } from '../context'
import { everyFold } from '../usage-sums/every-fold'
import { foldNext } from '../usage-sums/fold'
import { isSomebodyUnaware } from '../usage-sums/folds'
import { clearSums, forgetSums } from '../usage-sums/forget'
import type { Job } from './leader'
import { paceOf } from './pace-of'

const minuteMs = 60_000
/** Seconds after its end before an hour is added up: by then most of its charges have arrived, and late ones cost more. */
const settling = 600
/** Removed by one statement. */
const rowsAtOnce = 500

type Parts = Pick<Context, 'database' | 'clock' | 'metrics'>

/** Add up the hourly sums of the hours that are over. */
export const foldUsage = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const { database, clock } = parts
    const pace = makePace(parts, signal)
    const before = clock.now() / 1000 - 3600 - settling
    const untilDone = async (part: () => Promise<boolean>) => {
      for (let isMore = true; isMore && !signal.aborted;) isMore = await pace.part(part)
    }
    for (const fold of everyFold) {
      if (await isSomebodyUnaware(database.query, fold.number)) {
        await forgetSums(database, fold.number)
        continue
      }
      await untilDone(async () => (await clearSums(database.query, fold.number, rowsAtOnce)) > 0)
      await untilDone(() => foldNext(database, fold, before))
    }
  },
})
