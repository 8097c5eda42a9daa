import type { Context } from '../context'
import { dimensionNames } from '../usage-sums/dimensions'
import { foldHour } from '../usage-sums/fold'
import { foldLong } from '../usage-sums/fold-long'
import { foldPack } from '../usage-sums/fold-packs'
import { foldPair } from '../usage-sums/fold-pairs'
import { isSomebodyUnaware } from '../usage-sums/folds'
import { clearSums, forgetSums } from '../usage-sums/forget'
import { longSums } from '../usage-sums/long-sums'
import { pairs } from '../usage-sums/pairs'
import { userPacks } from '../usage-sums/user-packs'
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
    const foldAll = async (foldNext: () => Promise<boolean>) => {
      for (let isMore = true; isMore && !signal.aborted;) isMore = await pace.part(foldNext)
    }
    for (const name of dimensionNames) await foldAll(() => foldHour(database, name, before))
    const later = [
      ...pairs.map((pair) => ({ number: pair.number, fold: () => foldPair(database, pair, before) })),
      ...userPacks.map((pack) => ({ number: pack.number, fold: () => foldPack(database, pack, before) })),
      ...longSums.map((long) => ({ number: long.number, fold: () => foldLong(database, long) })),
    ]
    for (const { number, fold } of later) {
      if (await isSomebodyUnaware(database.query, number)) {
        await forgetSums(database, number)
        continue
      }
      await foldAll(async () => (await clearSums(database.query, number, rowsAtOnce)) > 0)
      await foldAll(fold)
    }
  },
})
