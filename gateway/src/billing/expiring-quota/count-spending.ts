import { daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../../platform/store/database'
import { lockBalance } from '../ledger/lease/lease-store'

interface Deps {
  readonly database: Database
}

/** What a code credited, and ends. */
interface ExpiringCredit {
  readonly redemptionId: number
  readonly quota: number
  readonly unspent: number
  readonly endsAt: number
}

interface Counted {
  readonly credits: readonly ExpiringCredit[]
  /** What the user spent from the wallet in total. */
  readonly spent: number
}

/**
 * Resolves with what a user has that ends, what ends first first, and how much of it is unspent: whatever the user spends, comes from what
 * ends first. Spending counts once its charge is in the database; what is returned for a plan is unspent again.
 */
export async function openExpiringCredits(query: Queries | Transaction, userId: number): Promise<Counted> {
  const spent = await spentFromWallet(query, userId)
  const rows = await query
    .selectFrom('expiring_quota')
    .select(['redemption_id', 'quota', 'unspent', 'ends_at', 'counted_until'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('ends_at')
    .orderBy('redemption_id')
    .execute()
  // All of a user's credits are counted at once, so they have the same mark.
  let uncounted = spent - (rows[0]?.counted_until ?? spent)
  const count = ({ redemption_id: redemptionId, quota, unspent, ends_at: endsAt }: (typeof rows)[number]) => {
    const taken = Math.max(Math.min(uncounted, unspent), unspent - quota)
    uncounted -= taken
    return { redemptionId, quota, unspent: unspent - taken, endsAt }
  }
  // What ends last is the first to be whole again.
  const credits = uncounted < 0 ? rows.toReversed().map(count).toReversed() : rows.map(count)
  return { credits, spent }
}

/**
 * Resolves with what a user's calls and plans cost the wallet: calls without those that a plan paid for, and what was paid for plans, less what
 * was returned and what came with orders for them.
 */
async function spentFromWallet(query: Queries | Transaction, userId: number): Promise<number> {
  const { rows } = await sql<{ spent: number }>`select used_quota
      + (select coalesce(sum(paid - used), 0) from subscriptions where user_id = ${userId})
      - (select coalesce(sum(quota_credited - quota_taken), 0) from orders where user_id = ${userId} and plan_id > 0
          and number in (select order_number from subscriptions where user_id = ${userId})) as spent
    from users where id = ${userId}`.execute(query)
  return rows[0]?.spent ?? 0
}

/** Counts what a user spent so far, whose balance is locked then. Called before one begins or ends, so that each pays for its own time alone. */
export async function countSpending({ database }: Deps, transaction: Transaction, userId: number): Promise<Counted> {
  await lockBalance(database, transaction, 'user', userId)
  const open = await openExpiringCredits(transaction, userId)
  for (const { redemptionId, unspent } of open.credits)
    await transaction
      .updateTable('expiring_quota')
      .set({ unspent, counted_until: open.spent })
      .where('redemption_id', '=', redemptionId)
      .where('user_id', '=', userId)
      .execute()
  return open
}

interface NewCredit {
  readonly redemptionId: number
  readonly userId: number
  readonly quota: number
  readonly days: number
  readonly now: number
}

/** Notes a credit that ends, in the transaction that makes it. Resolves with when it ends. */
export async function addExpiringQuota(
  deps: Deps,
  transaction: Transaction,
  { redemptionId, userId, quota, days, now }: NewCredit,
): Promise<number> {
  const { spent } = await countSpending(deps, transaction, userId)
  const endsAt = now + days * daySeconds
  await transaction
    .insertInto('expiring_quota')
    .values({
      redemption_id: redemptionId,
      user_id: userId,
      quota,
      unspent: quota,
      counted_until: spent,
      created_at: now,
      ends_at: endsAt,
    })
    .execute()
  return endsAt
}
