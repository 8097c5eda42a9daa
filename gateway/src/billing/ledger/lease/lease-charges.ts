import type { Database, Transaction } from '../../../platform/store/database'
import type { ChargeRecord } from '../charge/charge-record'
import * as statements from '../charge/charge-statements'
import { DrawSums } from '../window/draw-sums'
import type { DrawSets } from '../window/named-draws'

/** What a lease is taken from. */
export type LeaseKind = 'user' | 'token' | 'window'

/** Returns the name of a lease of a series. */
export const leaseId = (series: string, kind: LeaseKind, refId: number): string => `${series}:${kind}:${refId}`

interface LeaseCost {
  readonly kind: LeaseKind
  readonly refId: number
  cost: number
}

/** What charges cost beyond their lease; the balance paid it, and the lease is at zero. */
export interface LeaseDebt {
  readonly leaseId: string
  readonly amount: number
}

/**
 * Take charges off the leases they were paid from. The balance pays what a lease does not cover, all of it when the lease
 * ended meanwhile and went back whole: a debt kept in one worker's lease would be invisible to the others. Returns the debts.
 */
export function chargeLeases({ query }: Database, sets: DrawSets) {
  const statement = statements.chargeLeases(query)
  return async (transaction: Transaction, records: readonly ChargeRecord[]): Promise<LeaseDebt[]> => {
    const costs = costsByLease(records, sets)
    const rows = [...costs].map(([id, { cost }]) => ({ id, cost }))
    const charged = await statement.run(
      transaction,
      rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
    )
    const debts: LeaseDebt[] = []
    for (const { id, amount } of charged) {
      const paid = costs.get(id)
      if (amount >= 0 || !paid) costs.delete(id)
      else {
        paid.cost = -amount
        debts.push({ leaseId: id, amount: -amount })
      }
    }
    if (costs.size === 0) return debts
    await clearLeases(transaction, debts)
    for (const unpaid of [...costs.values()].sort(byBalance)) {
      await takeFromBalance(transaction, unpaid.kind, unpaid.refId, unpaid.cost)
    }
    return debts
  }
}

async function clearLeases(transaction: Transaction, debts: readonly LeaseDebt[]): Promise<void> {
  for (const { leaseId } of debts) {
    await transaction.updateTable('leases').set({ amount: 0 }).where('id', '=', leaseId).execute()
  }
}

/**
 * Take from what is free of a balance, which must be locked. What workers still hold of a balance that falls below zero is
 * recalled.
 */
export async function takeFromBalance(transaction: Transaction, kind: LeaseKind, refId: number, amount: number) {
  const free = await addToBalance(transaction, kind, refId, -amount)
  if (free < 0) await recallLeases(transaction, kind, refId)
}

/** Ask workers, or all but one, for what they hold of a balance, which must be locked. Returns whether any holds something. */
export async function recallLeases(
  transaction: Transaction,
  kind: LeaseKind,
  refId: number,
  exceptWorkerId = '',
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('leases')
    .set({ recalled: 1 })
    .where('kind', '=', kind)
    .where('ref_id', '=', refId)
    .where('worker_id', '!=', exceptWorkerId)
    .where('amount', '>', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Change what is free of a balance. Returns what is free then; 0 when there is no such balance. */
export async function addToBalance(
  transaction: Transaction,
  kind: LeaseKind,
  refId: number,
  amount: number,
): Promise<number> {
  const row = await added[kind](transaction, refId, amount)
  return row?.free ?? 0
}

type Added = (transaction: Transaction, refId: number, amount: number) => Promise<{ readonly free: number } | undefined>

const added: Readonly<Record<LeaseKind, Added>> = {
  user: (transaction, refId, amount) =>
    transaction
      .updateTable('users')
      .set((eb) => ({ quota: eb('quota', '+', amount) }))
      .where('id', '=', refId)
      .returning('quota as free')
      .executeTakeFirst(),
  token: (transaction, refId, amount) =>
    transaction
      .updateTable('tokens')
      .set((eb) => ({ remain_quota: eb('remain_quota', '+', amount) }))
      .where('id', '=', refId)
      .returning('remain_quota as free')
      .executeTakeFirst(),
  window: (transaction, refId, amount) =>
    transaction
      .updateTable('window_periods')
      .set((eb) => ({ free: eb('free', '+', amount) }))
      .where('id', '=', refId)
      .returning('free')
      .executeTakeFirst(),
}

/** The order in which balances are locked. */
const order: Readonly<Record<LeaseKind, number>> = { user: 0, token: 1, window: 2 }

const byBalance = (a: LeaseCost, b: LeaseCost) => order[a.kind] - order[b.kind] || a.refId - b.refId

function costsByLease(records: readonly ChargeRecord[], sets: DrawSets): Map<string, LeaseCost> {
  const costs = new Map<string, LeaseCost>()
  const add = (id: string, kind: LeaseKind, refId: number, cost: number) => {
    const sum = costs.get(id)
    if (sum) sum.cost += cost
    else costs.set(id, { kind, refId, cost })
  }
  const draws = new DrawSums(sets)
  for (const record of records) {
    const { userLease, tokenLease, windows, subscription, entry, cost } = record
    if (subscription === undefined) add(userLease || `balance:user:${entry.userId}`, 'user', entry.userId, cost)
    if (tokenLease !== '') add(tokenLease, 'token', entry.tokenId, cost)
    if (windows) draws.add(windows, record)
  }
  draws.each((series, period, amount) => add(leaseId(series, 'window', period), 'window', period, amount))
  return costs
}
