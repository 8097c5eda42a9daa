import { logType } from '@tollgate/contract'

import type { Context } from '../../context'
import { randomHex } from '../../platform/random'
import { userLog } from '../ledger/event-logs'
import { recallLeases } from '../ledger/lease/lease-charges'
import { lockBalance } from '../ledger/lease/lease-store'
import { quotaText } from '../ledger/quota-text'
import { countSpending } from './count-spending'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'ledger' | 'random'>

const rowsAtOnce = 100

/** Resolves with redeemed quota that ends now. */
const endingQuota = ({ database, clock }: Deps) =>
  database.query
    .selectFrom('expiring_quota')
    .select(['redemption_id', 'user_id'])
    .where('ended_at', 'is', null)
    .where('ends_at', '<=', clock.seconds())
    .orderBy('ends_at')
    .limit(rowsAtOnce)
    .execute()

/** Takes back what is unspent of redeemed quota that ends now. */
export async function endExpiringQuota(deps: Deps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const ending = await endingQuota(deps)
    for (const { redemption_id: redemptionId, user_id: userId } of ending) {
      if (signal.aborted) return
      await recall(deps, userId)
      const taken = await end(deps, redemptionId, userId)
      if (taken) record(deps, { ...taken, redemptionId, userId })
    }
    if (ending.length < rowsAtOnce) return
  }
}

/** Makes workers return what they hold idle, and waits for charges, so that only calls in flight keep any of the balance. */
async function recall({ database, ledger }: Deps, userId: number): Promise<void> {
  await database.query.transaction().execute(async (transaction) => {
    await lockBalance(database, transaction, 'user', userId)
    await recallLeases(transaction, 'user', userId)
  })
  await ledger.whenRecalled('user', userId)
  await ledger.waitUntilApplied()
}

interface Taken {
  readonly amount: number
  readonly username: string
}

/**
 * Takes the unspent part from what is free, once: calls in flight and held work keep what they reserved, and the balance does not fall below
 * zero. Resolves with what was taken; null for nothing.
 */
const end = (deps: Deps, redemptionId: number, userId: number): Promise<Taken | null> =>
  deps.database.query.transaction().execute(async (transaction) => {
    const { credits } = await countSpending(deps, transaction, userId)
    const ending = credits.find((open) => open.redemptionId === redemptionId)
    if (!ending) return null
    const { quota: free, username } = await transaction
      .selectFrom('users')
      .select(['quota', 'username'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const amount = Math.max(Math.min(ending.unspent, free), 0)
    await transaction
      .updateTable('expiring_quota')
      .set({ unspent: amount, ended_at: deps.clock.seconds() })
      .where('redemption_id', '=', redemptionId)
      .where('user_id', '=', userId)
      .execute()
    if (amount === 0) return null
    const id = `expiry:${redemptionId}:${userId}`
    await deps.ledger.credit({ id, userId, kind: 'expiry', amount: -amount }, transaction)
    return { amount, username }
  })

function record(
  { catalog, clock, ledger, random }: Deps,
  { amount, username, redemptionId, userId }: Taken & { redemptionId: number; userId: number },
): void {
  const params = { quota: quotaText(amount, catalog.current.options), id: redemptionId }
  const text = { code: 'log.quota_expired', params } as const
  const createdAt = clock.seconds()
  const details = { quota_change: -amount }
  ledger.record(randomHex(random, 16), userLog({ createdAt, type: logType.system, userId, username, text, details }))
}
