import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Clock } from '../../platform/time/clock'
import type { Database, Transaction } from '../../platform/store/database'
import { addToBalance, takeFromBalance, type LeaseKind } from './lease/lease-charges'
import { lockBalance } from './lease/lease-store'
import type { Credit, Ledger } from './ledger'

type Balances = Pick<
  Ledger,
  'credit' | 'balanceOf' | 'tokenBalanceOf' | 'adjustBalance' | 'adjustTokenBalance' | 'changeTokenBalance'
>

/** Balances as the console sees and changes them. A balance is what is free and what workers have leased. */
export function createBalances(database: Database, clock: Clock): Balances {
  const { query } = database
  const within = <T>(transaction: Transaction | undefined, work: (transaction: Transaction) => Promise<T>) =>
    transaction ? work(transaction) : query.transaction().execute(work)

  const credit = async (credit: Credit, transaction: Transaction) => {
    const isNew = await insertCredit(credit, clock.seconds(), transaction)
    if (isNew) await changeBalance(database, transaction, { kind: 'user', refId: credit.userId }, credit.amount)
    return isNew
  }

  return {
    credit: (creditRequest, transaction) => within(transaction, (transaction) => credit(creditRequest, transaction)),
    async balanceOf(userIds) {
      if (userIds.length === 0) return new Map()
      const rows = await query
        .selectFrom('users')
        .select(['id', (eb) => eb('quota', '+', sumLeases('user', 'users.id')).as('balance')])
        .where('id', 'in', userIds)
        .execute()
      return new Map(rows.map(({ id, balance }) => [id, balance]))
    },
    async tokenBalanceOf(tokenIds) {
      if (tokenIds.length === 0) return new Map()
      const rows = await query
        .selectFrom('tokens')
        .select(['id', (eb) => eb('remain_quota', '+', sumLeases('token', 'tokens.id')).as('balance')])
        .where('id', 'in', tokenIds)
        .execute()
      return new Map(rows.map(({ id, balance }) => [id, balance]))
    },
    adjustBalance: (id, userId, quota, transaction) =>
      within(transaction, async (transaction) => {
        const amount = quota - (await balanceIn(database, transaction, { kind: 'user', refId: userId }))
        if (amount === 0) return 0
        const isNew = await credit({ id, userId, kind: 'admin', amount }, transaction)
        return isNew ? amount : 0
      }),
    adjustTokenBalance: (tokenId, quota, transaction) =>
      within(transaction, async (transaction) => {
        const token = { kind: 'token', refId: tokenId } as const
        const amount = quota - (await balanceIn(database, transaction, token))
        if (amount !== 0) await changeBalance(database, transaction, token, amount)
        return amount
      }),
    changeTokenBalance: (tokenId, amount, transaction) =>
      within(transaction, (transaction) =>
        changeBalance(database, transaction, { kind: 'token', refId: tokenId }, amount),
      ),
  }
}

/** Whether the credit is new. */
async function insertCredit({ id, userId, kind, amount, detail = '' }: Credit, now: number, transaction: Transaction) {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('credits')
    .values({ id, user_id: userId, kind, amount, created_at: now, detail })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns what workers hold of a balance, as a part of a query. */
export const sumLeases = (kind: LeaseKind, ref: 'users.id' | 'tokens.id') =>
  sql<number>`(select coalesce(sum(amount), 0) from leases where kind = ${kind} and ref_id = ${sql.ref(ref)})`

interface BalanceKey {
  readonly kind: LeaseKind
  readonly refId: number
}

/**
 * Change a balance; what workers hold of one that is cut below what they hold is recalled.
 * @throws AppError `quota.bounds` when the balance would not be an exact number any more.
 */
async function changeBalance(database: Database, transaction: Transaction, balance: BalanceKey, amount: number) {
  const after = (await balanceIn(database, transaction, balance)) + amount
  if (!Number.isSafeInteger(after)) {
    throw new AppError('quota.bounds', { params: { balance: after - amount, change: amount } })
  }
  const { kind, refId } = balance
  if (kind === 'token') await noteGranted(transaction, refId, amount)
  if (amount < 0) await takeFromBalance(transaction, kind, refId, -amount)
  else await addToBalance(transaction, kind, refId, amount)
}

/** Credits tell what users were given; keys have the sum alone. */
async function noteGranted(transaction: Transaction, tokenId: number, amount: number) {
  await transaction
    .updateTable('tokens')
    .set((eb) => ({ granted_quota: eb('granted_quota', '+', amount) }))
    .where('id', '=', tokenId)
    .execute()
}

/** The balance, locked until the transaction ends: what workers spend meanwhile is taken off afterwards. */
async function balanceIn(database: Database, transaction: Transaction, { kind, refId }: BalanceKey): Promise<number> {
  const balance = await lockBalance(database, transaction, kind, refId)
  const { amount } = await transaction
    .selectFrom('leases')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('amount'), sql<number>`0`).as('amount'))
    .where('kind', '=', kind)
    .where('ref_id', '=', refId)
    .executeTakeFirstOrThrow()
  return (balance?.free ?? 0) + amount
}

/** What an edit does to a balance: nothing, a change that keeps what was spent since it was read, or a fixed value. */
export type QuotaEdit =
  | { readonly kind: 'keep' }
  | { readonly kind: 'change'; readonly amount: number }
  | { readonly kind: 'set'; readonly quota: number }

/**
 * Returns what an edit requests. With `read`, the balance that the edit began with, the difference counts; without it the balance becomes
 * `quota`.
 */
export function quotaEdit(quota: number | undefined, read: number | undefined): QuotaEdit {
  if (quota === undefined || quota === read) return { kind: 'keep' }
  return read === undefined ? { kind: 'set', quota } : { kind: 'change', amount: quota - read }
}
