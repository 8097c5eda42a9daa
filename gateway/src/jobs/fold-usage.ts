import type { Context } from '../context'
import { everyFold } from '../analytics/every-fold'
import { foldNext } from '../analytics/fold'
import { hasOutdatedWorker } from '../analytics/folds'
import { clearSums, forgetSums } from '../analytics/forget'
import type { Job } from './job'
import { paceOf } from './pace-of'
import { settledBefore, untilDone } from './settled-hours'

const minuteMs = 60_000
/** Removed by one statement. */
const rowsAtOnce = 500

type Parts = Pick<Context, 'database' | 'clock' | 'metrics'>

/** Add up the hourly sums of the hours that are over. */
export const foldUsage = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const { database } = parts
    const pace = makePace(parts, signal)
    const before = settledBefore(parts)
    for (const fold of everyFold) {
      if (await hasOutdatedWorker(database.query, fold.number)) {
        await forgetSums(database, fold.number)
        continue
      }
      await untilDone(pace, signal, async () => (await clearSums(database.query, fold.number, rowsAtOnce)) > 0)
      await untilDone(pace, signal, () => foldNext(database, fold, before))
    }
  },
})
