import type { Context } from '../../context'
import { isDue, nowOf, syncTimes } from '../../channels/price-sync/sync-times'
import type { Job } from './job'

/** Reads the sources of prices on request, and as often as the operator configured. */
export const syncPrices = (context: Context): Job => ({
  name: 'sync-prices',
  everyMs: 60_000,
  wokenBy: 'price-sync',
  async run(signal) {
    const { catalog, clock, database } = context
    const { PriceSyncSchedule: schedule } = catalog.current.options
    if (!isDue(await syncTimes(database.query), schedule, nowOf(clock))) return
    const { runPriceSync } = await import('../../channels/price-sync/run-price-sync')
    await runPriceSync(context, signal)
  },
})
