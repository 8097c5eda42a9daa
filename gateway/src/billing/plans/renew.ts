import { isOutOfQuota } from '../ledger/ledger'
import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { SubscriptionRow } from '../../platform/store/tables'
import { payFromWallet, type BuyDeps } from './buy-plan'
import { endSubscription, findPlan, renewSubscription } from './subscription'
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

const end = (deps: BuyDeps, { id, renews }: SubscriptionRow, onEnd: OnEnd) =>
  deps.database.query.transaction().execute(async (transaction) => {
    const ended = await endSubscription(deps, transaction, id)
    if (ended) await onEnd(ended, renews === 1, transaction)
  })

/** Resolves with false where its plan is gone or its wallet does not cover the price: until the term ends it is tried again. */
async function isRenewed(deps: BuyDeps, subscription: SubscriptionRow): Promise<boolean> {
  const { user_id: userId, next_plan_id: nextPlanId, plan_id: planId } = subscription
  try {
    const plan = await findPlan(deps.database.query, nextPlanId || planId)
    await payFromWallet(deps, userId, plan.price, (transaction) =>
      renewSubscription(deps, transaction, subscription, plan),
    )
    return true
  } catch (error) {
    if (isOutOfQuota(error) || (error instanceof AppError && error.code === 'plan.none')) return false
    throw error
  }
}
