import { AppError } from '../src/platform/app-error'
import { openLedger, type LedgerWorker } from '../src/billing/ledger/open-ledger'
import { systemTimers } from '../src/platform/time/timers'
import type { Database } from '../src/platform/store/database'
import { FakeTime } from './fake-time'
import { ledgerOptions } from './ledger'

/** Opens several workers on a database. While one waits for what another holds, all of them do their housekeeping. */
export async function openSeveral(database: Database, count: number) {
  const clock = new FakeTime()
  const ledgers: LedgerWorker[] = []
  const wait = async (ms: number) => {
    clock.advance(ms)
    for (const ledger of ledgers) await ledger.sweep()
  }
  for (let index = 0; index < count; index += 1)
    ledgers.push(await openLedger(ledgerOptions(database, { clock, timers: { ...systemTimers, wait } })))
  return { clock, ledgers }
}

/** Returns the code of the `AppError` that work fails with, another error as text, or "null" when it succeeds. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  return error instanceof AppError ? error.code : String(error)
}
