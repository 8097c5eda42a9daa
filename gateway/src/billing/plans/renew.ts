import { userStatus } from '@tollgate/contract'

import { isOutOfQuota } from '../ledger/ledger'
import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { SubscriptionRow } from '../../platform/store/tables'
import { payFromWallet, type BuyDeps } from './buy-plan'
import { endSubscription, findPlan, renewSubscription, requireRenewable } from './subscription'
import { renewalSeconds } from './term'

const rowsAtOnce = 200

/** Called in the transaction that ends a subscription at its time; `wasRenewing`: it was to go on. */
type OnEnd = (ended: SubscriptionRow, wasRenewing: boolean, transaction: Transaction) => Promise<void>

/** Renews subscriptions whose term ends, from the wallet of their user, and ends the others. */
export async function renewSubscriptions(deps: BuyDeps, signal: AbortSignal, onEnd: OnEnd): Promise<void> {
  const now = deps.clock.seconds()
  const due = await deps.database.query
    .selectFrom('subscriptions')
    .selectAll()
    .where('state', '=', 'active')
    .where('ends_at', '<=', now + renewalSeconds)
    .orderBy('ends_at')
    .limit(rowsAtOnce)
    .execute()
  for (const subscription of due) {
    if (signal.aborted) return
    if (subscription.renews === 1 && (await isRenewed(deps, subscription))) continue
    if (subscription.ends_at <= now) await end(deps, subscription, onEnd)
  }
  await deps.changes.deliver()
}

const refusals: ReadonlySet<string> = new Set(['plan.none', 'plan.not_on_sale', 'plan.user_limit'])

const end = (deps: BuyDeps, subscription: SubscriptionRow, onEnd: OnEnd) =>
  deps.database.query.transaction().execute(async (transaction) => {
    const ended = await endSubscription(deps, transaction, subscription)
    if (ended) await onEnd(ended, subscription.renews === 1, transaction)
  })

/**
 * Resolves with false where its plan is gone, its user is disabled or deleted, its wallet does not cover the price, or the user runs the plan
 * that would follow as often as is allowed: until the term ends it is tried again.
 */
async function isRenewed(deps: BuyDeps, subscription: SubscriptionRow): Promise<boolean> {
  const { user_id: userId, next_plan_id: nextPlanId, plan_id: planId } = subscription
  try {
    const plan = await findPlan(deps.database.query, nextPlanId || planId)
    requireRenewable(plan)
    if (!(await isEnabled(deps, userId))) return false
    await payFromWallet(deps, userId, plan.price, (transaction) =>
      renewSubscription(deps, transaction, subscription, plan),
    )
    return true
  } catch (error) {
    if (isOutOfQuota(error) || (error instanceof AppError && refusals.has(error.code))) return false
    throw error
  }
}

async function isEnabled({ database }: BuyDeps, userId: number): Promise<boolean> {
  const user = await database.query
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('status', '=', userStatus.enabled)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}
