import { sql, type Selectable } from 'kysely'

import type { Clock } from '../../platform/time/clock'
import type { Database, Transaction } from '../../platform/store/database'
import { createApplyChargesIn } from './charge/apply-charges'
import { chargeRecord } from './charge/charge-record'
import { addToBalance, recallLeases, type LeaseKind } from './lease/lease-charges'
import { lockBalance } from './lease/lease-store'
import type { Tables } from '../../platform/store/tables'
import type { Charge, HeldPart, Hold, Ledger, Payer } from './ledger'
import { isAmount, noTokenQuota, noUserQuota } from './lease/reservations'
import type { RefusalOf } from './lease/waiting-calls'
import { countHeld, drawnBy } from './window/draws'
import { readHeldWindows, writeHeldWindows, type HeldWindows } from './window/held-windows'
import type { LimitWindow } from './window/limit-window'
import { openPeriodIn, type Period } from './window/period-store'
import type { WindowLeases } from './window/window-leases'
import { refusalOfWindow } from './window/window-refusal'

export interface DurableHoldsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly windows: Pick<WindowLeases, 'recordFree'>
  readonly whenRecalled: Ledger['whenRecalled']
}

/** What a hold takes from one balance or window. */
interface Part {
  readonly kind: LeaseKind
  readonly refId: number
  readonly amount: number
  readonly refusalOf: RefusalOf
}

/** The balance or window that does not cover a hold. */
interface Shortage extends Part {
  /** What is free of it and what workers hold, which they may give back. */
  readonly balance: number
  readonly leased: number
}

/**
 * Quota held in the database. It is in no lease: a worker that dies does not return it, and none can spend it. As everywhere in the
 * ledger users are locked before tokens, and both before windows and their periods.
 */
export function createDurableHolds({
  database,
  clock,
  windows: leases,
  whenRecalled,
}: DurableHoldsOptions): Pick<Ledger, 'hold' | 'chargeHeld' | 'settleHold' | 'releaseHold'> {
  const apply = createApplyChargesIn(database)

  async function hold<Result>(hold: Hold, record: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (!isAmount(hold.amount)) throw new RangeError(`Not an amount of quota: ${hold.amount}`)
    const recalled = new Set<string>()
    for (;;) {
      const outcome = await database.query.transaction().execute(async (transaction) => {
        const covered = await cover(transaction, hold)
        if ('windows' in covered) {
          const left = await take(transaction, hold, { ...covered, now: clock.seconds() })
          return { result: await record(transaction), left }
        }
        const { shortage } = covered
        const { kind, refId, amount, balance, leased } = shortage
        // Each balance is recalled once: what is missing then is in use.
        if (leased === 0 || balance < amount || recalled.has(`${kind}:${refId}`))
          throw shortage.refusalOf(Math.max(balance, 0), amount)
        await recallLeases(transaction, kind, refId)
        return shortage
      })
      if ('result' in outcome) {
        for (const { window, period, free } of outcome.left) leases.recordFree(window, period, free)
        return outcome.result
      }
      recalled.add(`${outcome.kind}:${outcome.refId}`)
      await whenRecalled(outcome.kind, outcome.refId)
    }
  }

  /** Resolves with what a hold takes, all of it locked, or with what does not cover it. An edit of windows locks their owner first too. */
  async function cover(transaction: Transaction, hold: Hold): Promise<Covered | { readonly shortage: Shortage }> {
    const balances = balanceParts(hold.payer, hold.amount)
    const balanceShortage = await shortageOf(database, transaction, balances)
    if (balanceShortage) return { shortage: balanceShortage }
    const windows = await windowParts(transaction, hold)
    const parts = windows.map(({ part }) => part)
    const shortage = await shortageOf(database, transaction, parts)
    return shortage ? { shortage } : { balances, windows }
  }

  /** Resolves with what a hold takes from the payer's windows, by rising period. */
  async function windowParts(transaction: Transaction, { payer, amount, tokens }: Hold): Promise<WindowPart[]> {
    const parts: WindowPart[] = []
    for (const window of payer.windows ?? []) {
      const period = await openPeriodIn(database, transaction, window, clock.seconds())
      if (!period) continue
      const { measure } = window
      const taken = measure === 'quota' ? amount : countHeld(measure, { max: amount, min: amount, tokens }).min
      const refusalOf = refusalOfWindow(window, period, clock)
      parts.push({ window, period, part: { kind: 'window', refId: period.id, amount: taken, refusalOf } })
    }
    return parts.sort((one, other) => one.part.refId - other.part.refId)
  }

  /** Gives the quota of a hold back. Resolves with who held it and what it took from windows, which is still taken, once. */
  async function giveBack(id: string, transaction: Transaction): Promise<Released | null> {
    const held = await transaction.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()
    if (!held) return null
    const payer = payerOf(held)
    const balances = balanceParts(payer, held.amount)
    // Also where a plan pays: its charge counts at the user, and users are locked before periods.
    await lockBalance(database, transaction, 'user', payer.userId)
    for (const { kind, refId } of balances) await lockBalance(database, transaction, kind, refId)
    // Another worker may have ended it while this one waited for the lock, or admitted it to the windows of another channel.
    const ended = await transaction.deleteFrom('holds').where('id', '=', id).returning('windows').executeTakeFirst()
    if (!ended) return null
    for (const { kind, refId, amount } of balances) await addToBalance(transaction, kind, refId, amount)
    const windows = readHeldWindows(ended.windows).toSorted((one, other) => one.period - other.period)
    return { payer, windows }
  }

  /** Locks who pays and what is held. Resolves with it as it is then; undefined where it has ended. */
  async function lockHeld(id: string, transaction: Transaction) {
    const find = () => transaction.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()
    const found = await find()
    if (!found) return undefined
    const payer = payerOf(found)
    await lockBalance(database, transaction, 'user', payer.userId)
    for (const { kind, refId } of balanceParts(payer, 0)) await lockBalance(database, transaction, kind, refId)
    // Another part may have been charged while this one waited for the lock.
    return find()
  }

  /** Resolves with what a charge draws from windows of a channel: each period, and how much. */
  async function drawsOfChannel({ windows, charge }: HeldPart, transaction: Transaction): Promise<number[]> {
    const drawn: number[] = []
    for (const window of windows) {
      if (window.measure === 'concurrent') continue
      const period = await openPeriodIn(database, transaction, window, clock.seconds())
      if (period) drawn.push(period.id, drawnBy(window.measure, charge, true))
    }
    return drawn
  }

  return {
    hold,
    async chargeHeld(id, part, transaction) {
      const { requestId, charge } = part
      if (!isAmount(charge.cost)) throw new RangeError(`Work cannot cost ${charge.cost}`)
      const held = await lockHeld(id, transaction)
      if (!held) return false
      const payer = payerOf(held)
      const returned = Math.min(part.held, held.amount)
      for (const { kind, refId } of balanceParts(payer, 0)) await addToBalance(transaction, kind, refId, returned)
      const drawn: number[] = []
      const rest = readHeldWindows(held.windows).map((window) => {
        const used = drawnBy(window.measure, charge, false)
        const back = Math.min(window.amount, window.measure === 'quota' ? returned : used)
        drawn.push(window.period, used - back)
        return { ...window, amount: window.amount - back }
      })
      drawn.push(...(await drawsOfChannel(part, transaction)))
      await transaction
        .updateTable('holds')
        .set({ amount: held.amount - returned, windows: writeHeldWindows(rest) })
        .where('id', '=', id)
        .execute()
      const from = { ...leasesOf(requestId, payer), windows: [{ series: `hold:${requestId}`, drawn }] }
      await apply(transaction, [chargeRecord(requestId, payer, charge, from)])
      return true
    },
    async releaseHold(id, transaction) {
      const released = await giveBack(id, transaction)
      for (const { period, amount } of released?.windows ?? []) {
        await lockBalance(database, transaction, 'window', period)
        await addToBalance(transaction, 'window', period, amount)
      }
      return released !== null
    },
    async settleHold(id, charge, transaction) {
      if (!isAmount(charge.cost)) throw new RangeError(`Work cannot cost ${charge.cost}`)
      const released = await giveBack(id, transaction)
      if (!released) return false
      const { payer, windows } = released
      // Windows pay what was drawn less what was held, where charges lock their periods.
      const from = {
        ...leasesOf(id, payer),
        windows: [{ series: `hold:${id}`, drawn: windows.flatMap((held) => [held.period, drawnBeyond(held, charge)]) }],
      }
      await apply(transaction, [chargeRecord(id, payer, charge, from)])
      return true
    },
  }
}

const drawnBeyond = ({ measure, isOfChannel, amount }: HeldWindows[number], charge: Charge): number =>
  drawnBy(measure, charge, isOfChannel ?? false) - amount

const payerOf = (held: Selectable<Tables['holds']>): Payer => ({
  userId: held.user_id,
  tokenId: held.token_id,
  isTokenLimited: held.is_token_limited === 1,
  subscriptionId: held.subscription_id || undefined,
})

/** Returns names of leases that do not exist, so that the balances pay. */
const leasesOf = (id: string, payer: Payer) => ({
  userLease: payer.subscriptionId === undefined ? `hold:user:${id}` : '',
  tokenLease: payer.isTokenLimited ? `hold:token:${id}` : '',
})

/** What a hold takes from a window. */
interface WindowPart {
  readonly window: LimitWindow
  readonly period: Period
  readonly part: Part
}

interface Released {
  readonly payer: Payer
  readonly windows: HeldWindows
}

const balanceParts = ({ userId, tokenId, isTokenLimited, subscriptionId }: Payer, amount: number): Part[] => [
  ...(subscriptionId === undefined ? [{ kind: 'user', refId: userId, amount, refusalOf: noUserQuota } as const] : []),
  ...(isTokenLimited ? [{ kind: 'token', refId: tokenId, amount, refusalOf: noTokenQuota } as const] : []),
]

/** Resolves with the first part that is not covered, null when all are; locks what they are taken from. */
async function shortageOf(
  database: Database,
  transaction: Transaction,
  parts: readonly Part[],
): Promise<Shortage | null> {
  for (const part of parts) {
    const { kind, refId, amount } = part
    const found = await lockBalance(database, transaction, kind, refId)
    const free = found && !found.isDeleted ? found.free : -Infinity
    if (free >= amount) continue
    const { leased } = await transaction
      .selectFrom('leases')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('amount'), sql<number>`0`).as('leased'))
      .where('kind', '=', kind)
      .where('ref_id', '=', refId)
      .executeTakeFirstOrThrow()
    return { ...part, balance: free + leased, leased }
  }
  return null
}

interface Covered {
  readonly balances: readonly Part[]
  readonly windows: readonly WindowPart[]
}

/** What a hold has left of a window. */
interface LeftOfWindow extends Omit<WindowPart, 'part'> {
  readonly free: number
}

async function take(
  transaction: Transaction,
  { id, payer, amount }: Hold,
  { balances, windows, now }: Covered & { readonly now: number },
): Promise<LeftOfWindow[]> {
  const left: LeftOfWindow[] = []
  for (const part of balances) await addToBalance(transaction, part.kind, part.refId, -part.amount)
  for (const { window, period, part } of windows) {
    const free = await addToBalance(transaction, part.kind, part.refId, -part.amount)
    left.push({ window, period, free })
  }
  const held = windows.map(({ window: { measure }, period, part }) => ({
    period: period.id,
    measure,
    amount: part.amount,
  }))
  await transaction
    .insertInto('holds')
    .values({
      id,
      user_id: payer.userId,
      token_id: payer.tokenId,
      is_token_limited: payer.isTokenLimited ? 1 : 0,
      amount,
      created_at: now,
      subscription_id: payer.subscriptionId ?? 0,
      windows: writeHeldWindows(held),
    })
    .execute()
  return left
}
