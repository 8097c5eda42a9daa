import { minuteMs } from '@tollgate/contract'
import { addNextHour, addStaleHour } from '../../billing/analytics/add-up'
import { dimensionNames } from '../../billing/analytics/dimensions'
import type { Context } from '../../context'
import type { Job } from './job'
import { paceOf } from './pace-of'
import { settledBefore, untilDone } from './settled-hours'

type Parts = Pick<Context, 'database' | 'clock' | 'timers' | 'metrics'>

/** Adds up the hourly rollups of the hours that are over, by the hour and the day. */
export const foldUsage = (parts: Parts, makePace = paceOf): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const { database } = parts
    const pace = makePace(parts, signal)
    const before = settledBefore(parts)
    await untilDone(pace, signal, () => addStaleHour(database))
    for (const column of dimensionNames) {
      await untilDone(pace, signal, () => addNextHour(database, column, before))
    }
  },
})
