import type { Context } from '../context'
import { dimensionNames } from '../usage-sums/dimensions'
import { foldHour } from '../usage-sums/fold'
import type { Job } from './leader'

const minuteMs = 60_000
/** Seconds after its end before an hour is added up: by then most of its charges have arrived, and late ones cost more. */
const settling = 600
/** Between two hours, as a multiple of the time one took: what waits for the database meanwhile gets most of it. */
const restShare = 3

type Parts = Pick<Context, 'database' | 'clock'>

/** Add up the hourly sums of the hours that are over. */
export const foldUsage = ({ database, clock }: Parts, rest = restFor): Job => ({
  name: 'fold-usage',
  everyMs: minuteMs,
  async run(signal) {
    const before = clock.now() / 1000 - 3600 - settling
    for (const name of dimensionNames) {
      for (let isMore = true; isMore && !signal.aborted;) {
        const startedAt = clock.monotonic()
        isMore = await foldHour(database, name, before)
        if (isMore) await rest((clock.monotonic() - startedAt) * restShare)
      }
    }
  },
})

const restFor = (ms: number) => Bun.sleep(Math.min(ms, 1000))
