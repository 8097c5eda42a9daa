import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Clock } from '../../platform/time/clock'
import type { Database, Transaction } from '../../platform/store/database'
import { createApplyChargesIn } from './charge/apply-charges'
import { chargeRecord } from './charge/charge-record'
import { addToBalance, recallLeases, type LeaseKind } from './lease/lease-charges'
import { lockBalance } from './lease/lease-store'
import type { Hold, Ledger, Payer } from './ledger'
import { isAmount } from './lease/reservations'

export interface DurableHoldsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly whenRecalled: Ledger['whenRecalled']
}

/** The balance that does not cover a hold. */
interface Shortage {
  readonly kind: LeaseKind
  readonly refId: number
  /** What is free of it and what workers hold, which they may give back. */
  readonly balance: number
  readonly leased: number
}

/**
 * Quota held in the database. It is in no lease: a worker that dies does not return it, and none can spend it. As everywhere in the
 * ledger users are locked before tokens.
 */
export function createDurableHolds({
  database,
  clock,
  whenRecalled,
}: DurableHoldsOptions): Pick<Ledger, 'hold' | 'settleHold' | 'releaseHold'> {
  const apply = createApplyChargesIn(database)

  async function hold<Result>(hold: Hold, record: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (!isAmount(hold.amount)) throw new RangeError(`Not an amount of quota: ${hold.amount}`)
    const recalled = new Set<LeaseKind>()
    for (;;) {
      const outcome = await database.query.transaction().execute(async (transaction) => {
        const shortage = await shortageOf(database, transaction, hold)
        if (!shortage) {
          await take(transaction, hold, clock.seconds())
          return { result: await record(transaction) }
        }
        const { kind, refId, balance, leased } = shortage
        // Each balance is recalled once: what is missing then is in use.
        if (leased === 0 || balance < hold.amount || recalled.has(kind)) throw refusal(hold, shortage)
        await recallLeases(transaction, kind, refId)
        return shortage
      })
      if ('result' in outcome) return outcome.result
      recalled.add(outcome.kind)
      await whenRecalled(outcome.kind, outcome.refId)
    }
  }

  /** Resolves with who held it and how much, once. */
  async function giveBack(id: string, transaction: Transaction): Promise<Payer | null> {
    const held = await transaction.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst()
    if (!held) return null
    const payer = { userId: held.user_id, tokenId: held.token_id, isTokenLimited: held.is_token_limited === 1 }
    for (const { kind, refId } of balancesOf(payer)) await lockBalance(database, transaction, kind, refId)
    // Another worker may have ended it while this one waited for the lock.
    const { numDeletedRows } = await transaction.deleteFrom('holds').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) return null
    for (const { kind, refId } of balancesOf(payer)) await addToBalance(transaction, kind, refId, held.amount)
    return payer
  }

  return {
    hold,
    releaseHold: async (id, transaction) => (await giveBack(id, transaction)) !== null,
    async settleHold(id, charge, transaction) {
      if (!isAmount(charge.cost)) throw new RangeError(`Work cannot cost ${charge.cost}`)
      const payer = await giveBack(id, transaction)
      if (!payer) return false
      // Leases of these names do not exist, so the balances pay.
      const from = { userLease: `hold:user:${id}`, tokenLease: payer.isTokenLimited ? `hold:token:${id}` : '' }
      await apply(transaction, [chargeRecord(id, payer, charge, from)])
      return true
    },
  }
}

const balancesOf = ({ userId, tokenId, isTokenLimited }: Payer): readonly { kind: LeaseKind; refId: number }[] => [
  { kind: 'user', refId: userId },
  ...(isTokenLimited ? [{ kind: 'token', refId: tokenId } as const] : []),
]

/** Resolves with the first balance that does not cover the hold, null when all do; locks them. */
async function shortageOf(database: Database, transaction: Transaction, hold: Hold): Promise<Shortage | null> {
  for (const { kind, refId } of balancesOf(hold.payer)) {
    const found = await lockBalance(database, transaction, kind, refId)
    const free = found && !found.isDeleted ? found.free : -Infinity
    if (free >= hold.amount) continue
    const { leased } = await transaction
      .selectFrom('leases')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('amount'), sql<number>`0`).as('leased'))
      .where('kind', '=', kind)
      .where('ref_id', '=', refId)
      .executeTakeFirstOrThrow()
    return { kind, refId, balance: free + leased, leased }
  }
  return null
}

async function take(transaction: Transaction, { id, payer, amount }: Hold, now: number): Promise<void> {
  for (const { kind, refId } of balancesOf(payer)) await addToBalance(transaction, kind, refId, -amount)
  await transaction
    .insertInto('holds')
    .values({
      id,
      user_id: payer.userId,
      token_id: payer.tokenId,
      is_token_limited: payer.isTokenLimited ? 1 : 0,
      amount,
      created_at: now,
    })
    .execute()
}

/** A key may know what it has left itself, not what its owner has. */
const refusal = ({ amount }: Hold, { kind, balance }: Shortage): AppError =>
  kind === 'user'
    ? new AppError('quota.user', { params: { need: amount } })
    : new AppError('quota.token', { params: { balance: Math.max(balance, 0), need: amount } })
