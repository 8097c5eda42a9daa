import type { Database, Transaction } from '../store/database'
import type { ChargeRecord } from './charge-record'
import * as statements from './charge-statements'

export type LeaseKind = 'user' | 'token'

interface LeaseCost {
  readonly kind: LeaseKind
  readonly refId: number
  cost: number
}

/** Take charges off the leases they were paid from. A lease that ended meanwhile went back whole, so the balance itself pays. */
export function chargeLeases({ query }: Database) {
  const statement = statements.chargeLeases(query)
  return async (transaction: Transaction, records: readonly ChargeRecord[]) => {
    const costs = costsByLease(records)
    const rows = [...costs].map(([id, { cost }]) => [id, cost]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    const charged = await statement.run(transaction, rows)
    for (const { id } of charged) costs.delete(id)
    if (costs.size === 0) return
    const orphans = [...costs.values()].sort(byBalance)
    for (const orphan of orphans) await addToBalance(transaction, orphan.kind, orphan.refId, -orphan.cost)
  }
}

/** Change what is free of a balance. */
export async function addToBalance(transaction: Transaction, kind: LeaseKind, refId: number, amount: number) {
  await (kind === 'user'
    ? transaction
        .updateTable('users')
        .set((eb) => ({ quota: eb('quota', '+', amount) }))
        .where('id', '=', refId)
        .execute()
    : transaction
        .updateTable('tokens')
        .set((eb) => ({ remain_quota: eb('remain_quota', '+', amount) }))
        .where('id', '=', refId)
        .execute())
}

const byBalance = (a: LeaseCost, b: LeaseCost) => (a.kind === b.kind ? a.refId - b.refId : a.kind === 'user' ? -1 : 1)

function costsByLease(records: readonly ChargeRecord[]): Map<string, LeaseCost> {
  const costs = new Map<string, LeaseCost>()
  const add = (id: string, kind: LeaseKind, refId: number, cost: number) => {
    const sum = costs.get(id)
    if (sum) sum.cost += cost
    else costs.set(id, { kind, refId, cost })
  }
  for (const { userLease, tokenLease, entry, cost } of records) {
    add(userLease, 'user', entry.userId, cost)
    if (tokenLease !== '') add(tokenLease, 'token', entry.tokenId, cost)
  }
  return costs
}
