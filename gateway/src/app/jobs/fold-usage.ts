import { minuteMs } from '@tollgate/contract'

import { addNextHour, addStaleHour } from '../../billing/analytics/add-up'
import { dimensionNames, spans } from '../../billing/analytics/rollups'
import { rollUpMeasures } from '../../billing/analytics/measures/roll-up-measures'
import type { Context } from '../../context'
import type { Pace } from '../../platform/store/pace'
import { paceOf, type Job } from './job'

type Deps = Pick<Context, 'database' | 'clock' | 'timers' | 'metrics'>

/** Adds up the hourly rollups of the hours that are over, by the hour and the day. */
export const rollUpUsage = (deps: Deps, makePace = paceOf): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const { database } = deps
    const pace = makePace(deps, signal)
    const before = settledBefore(deps)
    await untilDone(pace, signal, () => addStaleHour(database))
    for (const column of dimensionNames) {
      await untilDone(pace, signal, () => addNextHour(database, column, before))
    }
  },
})

/** Moves the measures of hours that are over into the packs of their days. */
export const foldCallMeasures = (deps: Deps, makePace = paceOf): Job => ({
  name: 'fold-measures',
  everyMs: minuteMs,
  async run(signal) {
    const pace = makePace(deps, signal)
    const before = settledBefore(deps)
    await untilDone(pace, signal, () => rollUpMeasures(deps.database, before, pace.rows))
  },
})

/** Seconds after its end before an hour is added up: by then most of its charges have arrived, and late ones cost more. */
const settling = 600

/** Returns the time, in whole seconds, before which hours begin that are over and settled. */
const settledBefore = ({ clock }: Pick<Context, 'clock'>): number => clock.seconds() - spans.hour - settling

/** Repeats a part of the work until it reports that nothing is left. */
async function untilDone(pace: Pace, signal: AbortSignal, part: () => Promise<boolean>): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) isMore = await pace.part(part)
}
