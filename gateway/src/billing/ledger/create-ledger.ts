import { openLedger, type LedgerOptions, type LedgerWorker } from './open-ledger'
import type { Timers } from '../../platform/time/timers'

const sweepMs = 500
const beatMs = 5000

/** The ledger of a worker, with its heartbeat and housekeeping on timers. Close it before the database. */
export async function createLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const ledger = await openLedger(options)
  const { timers } = options
  const ends = [every(timers, sweepMs, () => ledger.sweep()), every(timers, beatMs, () => ledger.beat())]
  return {
    ...ledger,
    async close() {
      for (const end of ends) end()
      await ledger.close()
    },
  }
}

/** Work that takes longer than its interval is not begun a second time meanwhile. `work` never rejects. */
function every(timers: Timers, ms: number, work: () => Promise<void>): () => void {
  let isRunning = false
  return timers.every(ms, () => {
    if (isRunning) return
    isRunning = true
    void work().finally(() => (isRunning = false))
  })
}
