import { minuteMs } from '@tollgate/contract'
import type { Context } from '../../context'
import { foldMeasures } from '../../billing/analytics/measures/fold-measures'
import type { Job } from './job'
import { paceOf } from './pace-of'
import { settledBefore, untilDone } from './settled-hours'

type Parts = Pick<Context, 'database' | 'clock' | 'timers' | 'metrics'>

/** Moves the measures of hours that are over into the packs of their days. */
export const foldCallMeasures = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-measures',
  everyMs: minuteMs,
  async run(signal) {
    const pace = makePace(parts, signal)
    const before = settledBefore(parts)
    await untilDone(pace, signal, () => foldMeasures(parts.database, before, pace.rows))
  },
})
