import type { Context } from '../context'
import { foldMeasures } from '../usage-sums/measures/fold-measures'
import type { Job } from './leader'
import { paceOf } from './pace-of'

const minuteMs = 60_000
/** Seconds after its end before an hour is moved: by then most of its charges have arrived. */
const settling = 600

type Parts = Pick<Context, 'database' | 'clock' | 'metrics'>

/** Move the measures of hours that are over into the packs of their days. */
export const foldCallMeasures = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-measures',
  everyMs: minuteMs,
  async run(signal) {
    const { database, clock } = parts
    const pace = makePace(parts, signal)
    const before = clock.now() / 1000 - 3600 - settling
    for (let isMore = true; isMore && !signal.aborted;) {
      isMore = await pace.part(() => foldMeasures(database, before, pace.rows))
    }
  },
})
