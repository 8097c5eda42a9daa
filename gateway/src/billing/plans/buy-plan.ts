import type { Transaction } from '../../platform/store/database'
import { AppError } from '../../platform/app-error'
import { randomHex } from '../../platform/random'
import type { Context } from '../../context'
import type { PlanRow, SubscriptionRow } from '../../platform/store/tables'
import { findRest, type Rest } from './rest'
import { beginSubscription, endSubscription, findPlan, type PlanDeps } from './subscription'

export type BuyDeps = PlanDeps & Pick<Context, 'random'>

/**
 * Takes a price from the wallet in one transaction with `record`, which moves it by a credit of its own.
 * @throws AppError `quota.user` when the wallet does not cover it.
 */
export async function payFromWallet<Result>(
  { ledger, random }: BuyDeps,
  userId: number,
  amount: number,
  record: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const id = `plan:${randomHex(random, 16)}`
  return ledger.hold({ id, payer: { userId, tokenId: 0, isTokenLimited: false }, amount }, async (transaction) => {
    await ledger.releaseHold(id, transaction)
    return record(transaction)
  })
}

/** Begins a plan that is on sale. @throws AppError `plan.none`, `plan.not_on_sale`, `plan.user_limit`, `quota.user`. */
export async function buyPlan(
  deps: BuyDeps,
  { userId, planId, renews }: { readonly userId: number; readonly planId: number; readonly renews: boolean },
): Promise<SubscriptionRow> {
  const plan = await findPlanOnSale(deps, planId)
  return payFromWallet(deps, userId, plan.price, (transaction) =>
    beginSubscription(deps, transaction, { userId, plan, source: 'wallet', paid: plan.price, renews }),
  )
}

/** @throws AppError `plan.none`, `plan.not_on_sale`. */
export async function findPlanOnSale({ database }: Pick<PlanDeps, 'database'>, planId: number): Promise<PlanRow> {
  const plan = await findPlan(database.query, planId)
  if (plan.is_on_sale !== 1) throw new AppError('plan.not_on_sale')
  return plan
}

/** What an upgrade costs now. */
interface UpgradePrice {
  readonly price: number
  /** What is left of the present term, and counted in. */
  readonly rest: Rest
}

/** @throws AppError `plan.not_dearer` for a plan that costs no more. */
export async function upgradePrice(
  { database, clock }: Pick<PlanDeps, 'clock' | 'database'>,
  subscription: SubscriptionRow,
  plan: PlanRow,
): Promise<UpgradePrice> {
  if (plan.price <= subscription.price || plan.id === subscription.plan_id) throw new AppError('plan.not_dearer')
  const rest = await findRest(database.query, subscription, clock.seconds())
  return { price: plan.price - rest.amount, rest }
}

/** Changes a running subscription to a dearer plan. @throws AppError as `buyPlan`; `plan.not_dearer`, `subscription.ended`. */
export async function upgradePlan(
  deps: BuyDeps,
  subscription: SubscriptionRow,
  planId: number,
): Promise<SubscriptionRow> {
  const plan = await findPlanOnSale(deps, planId)
  const { price, rest } = await upgradePrice(deps, subscription, plan)
  const { user_id: userId, order_number: orderNumber, renews } = subscription
  return payFromWallet(deps, userId, price, async (transaction) => {
    const returned = { reason: 'upgrade', amount: rest.amount } as const
    // One that was renewed meanwhile has another rest.
    if (!(await endSubscription(deps, transaction, subscription, () => Promise.resolve(returned))))
      throw new AppError('subscription.ended')
    const beginning = { userId, plan, source: 'wallet', paid: plan.price, renews: renews === 1, orderNumber } as const
    return beginSubscription(deps, transaction, beginning)
  })
}
