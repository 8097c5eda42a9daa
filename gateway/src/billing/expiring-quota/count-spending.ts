import { daySeconds } from '@tollgate/contract'

import type { Database, Transaction } from '../../platform/store/database'
import { walletSpent } from '../plans/wallet-spent'
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
export async function openExpiringCredits(query: Pick<Transaction, 'selectFrom'>, userId: number): Promise<Counted> {
  const { spent } = await query
    .selectFrom('users')
    .select(walletSpent.as('spent'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
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
