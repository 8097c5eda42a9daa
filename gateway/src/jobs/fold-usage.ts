import type { Context } from '../context'
import { dimensionNames } from '../usage-sums/dimensions'
import { foldHour } from '../usage-sums/fold'
import type { Job } from './leader'
import { paceOf } from './pace-of'

const minuteMs = 60_000
/** Seconds after its end before an hour is added up: by then most of its charges have arrived, and late ones cost more. */
const settling = 600

type Parts = Pick<Context, 'database' | 'clock' | 'metrics'>

/** Add up the hourly sums of the hours that are over. */
export const foldUsage = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const { database, clock } = parts
    const pace = makePace(parts, signal)
    const before = clock.now() / 1000 - 3600 - settling
    for (const name of dimensionNames) {
      for (let isMore = true; isMore && !signal.aborted;) {
        isMore = await pace.part(() => foldHour(database, name, before))
      }
    }
  },
})
