import { sql } from 'kysely'

import type { Clock } from '../../../platform/time/clock'
import { builtQuery, type Database, type Transaction } from '../../../platform/store/database'
import type { Timers } from '../../../platform/time/timers'
import { leaseSize } from './lease-book'
import { addToBalance, recallLeases, type LeaseKind } from './lease-charges'

/** The lease of one worker on one balance. */
export interface LeaseKey {
  /** Names the row. */
  readonly id: string
  /** What the names of all leases begin with that a worker took since it last lost them. */
  readonly series: string
  readonly workerId: string
  readonly kind: LeaseKind
  readonly refId: number
}

export interface Taken {
  /** Null: what is free does not cover what was missing. */
  readonly granted: number | null
  /** What was free before. */
  readonly free: number
}

/** Leases in the database. Each call is one transaction, which locks the balance before the lease. */
export interface LeaseStore {
  take(key: LeaseKey, missing: number, wanted: number): Promise<Taken>
  /**
   * Return a part, also none; the lease stays and its recall is answered. Returns what was not there any more, because a
   * charge used it meanwhile.
   */
  giveBack(key: LeaseKey, amount: number): Promise<number>
  /** Ends the lease and returns what the row says to the balance, which is all that its worker did not spend. */
  end(key: LeaseKey): Promise<void>
  /** Asks other workers for what they hold of this balance. Returns whether any holds something. */
  recall(key: LeaseKey): Promise<boolean>
  /** Whether a worker, but for the one that is named, was asked for what it holds of a balance and has not answered yet. */
  isRecallOpen(balance: Pick<LeaseKey, 'kind' | 'refId'> & Partial<LeaseKey>): Promise<boolean>
  /** Ids of the worker's leases that others ask for. */
  findRecalled(workerId: string): Promise<string[]>
}

/** Workers look for recalled leases twice a second. */
const recallTimeoutMs = 3000
const recallStepMs = 50

/** Resolves when every worker has given back what was recalled of a balance; after a few seconds in any case. */
export async function awaitRecall(
  { store, clock, timers }: { readonly store: LeaseStore; readonly clock: Clock; readonly timers: Timers },
  balance: Pick<LeaseKey, 'kind' | 'refId'>,
): Promise<void> {
  const until = clock.monotonic() + recallTimeoutMs
  while ((await store.isRecallOpen(balance)) && clock.monotonic() < until) await timers.wait(recallStepMs)
}

export function createLeaseStore(database: Database, clock: Clock): LeaseStore {
  const { query } = database
  const inTransaction = <T>(work: (transaction: Transaction) => Promise<T>) => query.transaction().execute(work)
  const recalledOf = builtQuery(
    query,
    query.selectFrom('leases').select('id').where('worker_id', '=', '').where('recalled', '=', sql.lit(1)),
  )

  return {
    take: (key, missing, requested) =>
      inTransaction(async (transaction) => {
        const balance = await lockBalance(database, transaction, key.kind, key.refId)
        if (!balance || balance.isDeleted) return { granted: null, free: 0 }
        const granted = leaseSize(balance.free, missing, requested)
        if (granted !== null) {
          await addToBalance(transaction, key.kind, key.refId, -granted)
          await addToLease(transaction, key, granted, clock.seconds())
        }
        return { granted, free: balance.free }
      }),
    giveBack: (key, amount) =>
      inTransaction(async (transaction) => {
        await lockBalance(database, transaction, key.kind, key.refId)
        const row = await transaction.selectFrom('leases').select('amount').where('id', '=', key.id).executeTakeFirst()
        if (!row) return 0
        const returned = Math.min(amount, row.amount)
        await transaction
          .updateTable('leases')
          .set({ amount: row.amount - returned, recalled: 0 })
          .where('id', '=', key.id)
          .execute()
        if (returned !== 0) await addToBalance(transaction, key.kind, key.refId, returned)
        return amount - returned
      }),
    end: (key) => inTransaction((transaction) => endLease(database, transaction, key)),
    recall: ({ kind, refId, workerId }) =>
      inTransaction(async (transaction) => {
        await lockBalance(database, transaction, kind, refId)
        return recallLeases(transaction, kind, refId, workerId)
      }),
    async isRecallOpen({ kind, refId, workerId = '' }) {
      const open = query
        .selectFrom('leases')
        .select('id')
        .where('kind', '=', kind)
        .where('ref_id', '=', refId)
        .where('worker_id', '!=', workerId)
        .where('recalled', '=', 1)
      return (await open.limit(1).execute()).length > 0
    },
    async findRecalled(workerId) {
      return (await recalledOf(workerId)).map(({ id }) => id)
    },
  }
}

/** Returns a lease to its balance, if it still exists. */
export async function endLease(
  database: Database,
  transaction: Transaction,
  { id, kind, refId }: Pick<LeaseKey, 'id' | 'kind' | 'refId'>,
): Promise<void> {
  await lockBalance(database, transaction, kind, refId)
  const row = await transaction.deleteFrom('leases').where('id', '=', id).returning('amount').executeTakeFirst()
  if (row && row.amount !== 0) await addToBalance(transaction, kind, refId, row.amount)
}

/** Returns what is free of a balance, and locks it until the transaction ends. */
export async function lockBalance(
  { kind: database }: Database,
  transaction: Transaction,
  kind: LeaseKind,
  refId: number,
) {
  const select = balances[kind](transaction, refId)
  // SQLite has the write lock since the transaction began.
  const row = await (database === 'postgres' ? select.forUpdate() : select).executeTakeFirst()
  return row && { free: row.free, isDeleted: row.deleted_at !== null }
}

const balances = {
  user: (transaction: Transaction, id: number) =>
    transaction.selectFrom('users').select(['quota as free', 'deleted_at']).where('id', '=', id),
  token: (transaction: Transaction, id: number) =>
    transaction.selectFrom('tokens').select(['remain_quota as free', 'deleted_at']).where('id', '=', id),
  window: (transaction: Transaction, id: number) =>
    transaction
      .selectFrom('window_periods')
      .select(['free', sql<null>`null`.as('deleted_at')])
      .where('id', '=', id),
}

async function addToLease(
  transaction: Transaction,
  { id, workerId, kind, refId }: LeaseKey,
  amount: number,
  now: number,
) {
  await transaction
    .insertInto('leases')
    .values({ id, worker_id: workerId, kind, ref_id: refId, amount, created_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ amount: eb('leases.amount', '+', eb.ref('excluded.amount')) })),
    )
    .execute()
}
