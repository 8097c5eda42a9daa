import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow } from '../../platform/store/tables'
import { beginSubscription, endSubscription, findPlan, type PlanDeps } from './subscription'

/**
 * Begins the plan that an order bought, with the quota that the order credited. A plan that is gone, or that the user runs as often as is
 * allowed, leaves the quota in the wallet.
 */
export async function beginOrderedPlan(deps: PlanDeps, transaction: Transaction, order: OrderRow): Promise<void> {
  try {
    const plan = await findPlan(transaction, order.plan_id)
    const { user_id: userId, number: orderNumber, quota: paid } = order
    await beginSubscription(deps, transaction, { userId, plan, source: 'order', paid, orderNumber })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * Ends what an order bought when its money went back. The quota that is clawed back with it was paid for the plan, so as much returns to the
 * wallet first.
 */
export async function endOrderedPlan(
  deps: PlanDeps,
  transaction: Transaction,
  { number, credits }: OrderRow,
  taken: number,
): Promise<void> {
  const running = await transaction
    .selectFrom('subscriptions')
    .select('id')
    .where('order_number', '=', number)
    .where('state', '=', 'active')
    .execute()
  for (const { id } of running)
    await endSubscription(deps, transaction, id, ({ paid }) => ({
      reason: `order:${credits}`,
      amount: Math.min(paid, taken),
    }))
}
