import { openLedger, type LedgerOptions, type LedgerWorker } from './open-ledger'

const sweepMs = 500
const beatMs = 5000

/** The ledger of a worker, with its heartbeat and housekeeping on timers. Close it before the database. */
export async function createLedger(options: LedgerOptions): Promise<LedgerWorker> {
  const ledger = await openLedger(options)
  const timers = [every(sweepMs, () => ledger.sweep()), every(beatMs, () => ledger.beat())]
  return {
    ...ledger,
    async close() {
      for (const timer of timers) clearInterval(timer)
      await ledger.close()
    },
  }
}

/** Work that takes longer than its interval is not begun a second time meanwhile. `work` never rejects. */
function every(ms: number, work: () => Promise<void>) {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void work().finally(() => (isRunning = false))
  }, ms)
  timer.unref()
  return timer
}
