import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow, SubscriptionRow } from '../../platform/store/tables'
import {
  beginSubscription,
  endSubscription,
  findPlan,
  lockPlan,
  resumeSubscription,
  returnToWallet,
  type PlanDeps,
} from './subscription'

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

/** A subscription of an order, and what went back to the wallet when the order's money did. */
interface Ordered {
  readonly row: SubscriptionRow
  readonly returned: number
}

/** Resolves with what an order began, or went on with: what runs, and what ended with its money. */
async function orderedPlans(transaction: Transaction, number: string): Promise<Ordered[]> {
  const rows = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('order_number', '=', number)
    .orderBy('id')
    .execute()
  const found: Ordered[] = []
  for (const row of rows) {
    const { returned } = await transaction
      .selectFrom('credits')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount'), eb.lit(0)).as('returned'))
      .where('id', 'like', `plan:${row.id}:order:%`)
      .executeTakeFirstOrThrow()
    if (row.state === 'active' || returned > 0) found.push({ row, returned })
  }
  return found
}

/**
 * Ends what an order bought when its money went back. The quota that is clawed back with it was paid for the plan, so as much returns to the
 * wallet first; more of it where more of the money follows.
 */
export async function endOrderedPlan(
  deps: PlanDeps,
  transaction: Transaction,
  { number, credits }: OrderRow,
  taken: number,
): Promise<void> {
  for (const { row } of await orderedPlans(transaction, number)) {
    const amount = Math.min(row.paid, taken)
    const reason = `order:${credits}` as const
    if (row.state === 'active') await endSubscription(deps, transaction, row, () => ({ reason, amount }))
    else await returnToWallet(deps, transaction, row, { reason, amount })
  }
}

/**
 * Takes the price again where money of an order comes back: a dispute was won, a refund failed. With all of it the plan goes on for what is left
 * of its term. A plan that is gone leaves the quota in the wallet.
 */
export async function resumeOrderedPlan(
  deps: PlanDeps,
  transaction: Transaction,
  { number, credits, quota_taken: stillTaken }: OrderRow,
  restored: number,
): Promise<void> {
  for (const { row, returned } of await orderedPlans(transaction, number)) {
    const amount = Math.min(returned, restored)
    if (row.state === 'active' || amount <= 0) continue
    const plan = await lockPlan(deps, transaction, row.plan_id).catch(whereGone)
    if (!plan) continue
    await returnToWallet(deps, transaction, row, { reason: `order:${credits}`, amount: -amount })
    if (stillTaken === 0) await resumeSubscription(deps, transaction, row, plan)
  }
}

function whereGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'plan.none') return null
  throw error
}
