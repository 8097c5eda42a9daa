import { DatabaseUnavailableError } from '../../../platform/store/database-errors'
import type { Database, Transaction } from '../../../platform/store/database'
import type { Clock } from '../../../platform/time/clock'
import { addToBalance, recallLeases } from '../lease/lease-charges'
import { lockBalance } from '../lease/lease-store'
import type { AttemptRange, FullWindow, HoldRange, Ledger } from '../ledger'
import { attemptHeld } from './draws'
import { readHeldWindows, writeHeldWindows, type HeldWindows } from './held-windows'
import type { LimitWindow } from './limit-window'
import { openPeriodIn, type Period } from './period-store'
import { freeAgainAt } from './window-refusal'

export interface HeldAdmissionsOptions {
  readonly database: Database
  readonly clock: Clock
}

/** Windows, and what work may use of them. */
interface RequestedWindows {
  readonly windows: readonly LimitWindow[]
  readonly range: AttemptRange
}

/** What work is to hold of a period of a window. */
interface RequestedPart {
  readonly window: LimitWindow
  readonly period: Period
  readonly range: HoldRange
}

/**
 * Admits work that outlives its call to the windows of channels: what it takes is added to its hold, in the database. As everywhere in the
 * ledger periods are locked by rising id, and the hold before them.
 */
export function createHeldAdmissions({ database, clock }: HeldAdmissionsOptions): Pick<Ledger, 'admitHeld'> {
  const inTransaction = <T>(work: (transaction: Transaction) => Promise<T>) =>
    database.query.transaction().execute(work)

  const admitIn = async (
    transaction: Transaction,
    id: string,
    requested: RequestedWindows,
  ): Promise<FullWindow | null> => {
    const held = await lockHold(database, transaction, id)
    if (!held) return null
    const now = clock.seconds()
    const taken: HeldWindows = []
    for (const { window, period, range } of await openPeriods(database, transaction, requested, now)) {
      const free = (await lockBalance(database, transaction, 'window', period.id))?.free ?? 0
      if (free < range.min) {
        await recallLeases(transaction, 'window', period.id)
        return { kind: 'full', window, freeAt: freeAgainAt(window, period, now) }
      }
      const amount = free < range.max ? range.min : range.max
      taken.push({ period: period.id, measure: window.measure, amount, isOfChannel: true })
    }
    for (const { period, amount } of taken) await addToBalance(transaction, 'window', period, -amount)
    await keepHeld(transaction, id, [...held, ...taken])
    return null
  }

  /** What the hold has of its caller stays. */
  const withdrawIn = async (transaction: Transaction, id: string) => {
    const held = await lockHold(database, transaction, id)
    if (!held) return
    const ofChannel = held.filter(({ isOfChannel }) => isOfChannel)
    for (const { period } of ofChannel) await lockBalance(database, transaction, 'window', period)
    for (const { period, amount } of ofChannel) await addToBalance(transaction, 'window', period, amount)
    const ofCaller = held.filter(({ isOfChannel }) => !isOfChannel)
    await keepHeld(transaction, id, ofCaller)
  }

  return {
    async admitHeld(id, windows, range) {
      try {
        const full = await inTransaction((transaction) => admitIn(transaction, id, { windows, range }))
        if (full) return full
      } catch (error) {
        const [window] = windows
        if (!(error instanceof DatabaseUnavailableError) || !window) throw error
        return { kind: 'full', window, freeAt: clock.seconds() + 1 }
      }
      return {
        kind: 'admitted',
        // Its place is free when the work has ended.
        leave() {},
        withdraw: () => inTransaction((transaction) => withdrawIn(transaction, id)),
      }
    },
  }
}

/** Resolves with what a hold has of windows, and locks it until the transaction ends; null for one that has ended. */
async function lockHold({ kind }: Database, transaction: Transaction, id: string): Promise<HeldWindows | null> {
  const row = await transaction
    .selectFrom('holds')
    .select('windows')
    .where('id', '=', id)
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  return row ? readHeldWindows(row.windows) : null
}

const keepHeld = (transaction: Transaction, id: string, held: HeldWindows) =>
  transaction
    .updateTable('holds')
    .set({ windows: writeHeldWindows(held) })
    .where('id', '=', id)
    .execute()

/** Resolves with the periods that work draws from, by rising id. */
async function openPeriods(
  database: Database,
  transaction: Transaction,
  { windows, range: attemptRange }: RequestedWindows,
  now: number,
): Promise<RequestedPart[]> {
  const requested: RequestedPart[] = []
  for (const window of windows) {
    const range = attemptHeld(window.measure, attemptRange)
    const period = range && (await openPeriodIn(database, transaction, window, now))
    if (range && period) requested.push({ window, period, range })
  }
  return requested.sort((one, other) => one.period.id - other.period.id)
}
