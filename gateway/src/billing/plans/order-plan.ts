import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { OrderRow, SubscriptionRow } from '../../platform/store/tables'
import {
  beginSubscription,
  endSubscription,
  findPlan,
  lockPlan,
  restReturned,
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

/** Resolves with the subscriptions that an order began, or that those were upgraded to. */
const plansOfOrder = (transaction: Transaction, number: string): Promise<SubscriptionRow[]> =>
  transaction.selectFrom('subscriptions').selectAll().where('order_number', '=', number).orderBy('id').execute()

/** Whether the order paid for the present term, or the last: not after a renewal, nor once another plan took its place. */
const isTermOfOrder = ({ source, term }: SubscriptionRow): boolean => source === 'order' && term === 1

/** Resolves with what went back to the wallet when money of the order of a subscription did. */
async function returnedWithOrder(transaction: Transaction, { id }: SubscriptionRow): Promise<number> {
  const { returned } = await transaction
    .selectFrom('credits')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('amount'), eb.lit(0)).as('returned'))
    .where('id', 'like', `plan:${id}:order:%`)
    .executeTakeFirstOrThrow()
  return returned
}

/**
 * Ends what an order bought when its money went back. In the term that it paid for, the quota that is clawed back with it was paid for the plan,
 * so as much returns to the wallet first; more of it where more of the money follows. In a later term, or after an upgrade, what is left of the
 * present one returns, and what the order paid for was used.
 */
export async function endOrderedPlan(
  deps: PlanDeps,
  transaction: Transaction,
  { number, credits }: OrderRow,
  taken: number,
): Promise<void> {
  const reason = `order:${credits}` as const
  for (const row of await plansOfOrder(transaction, number)) {
    const ofOrder = { reason, amount: Math.min(row.paid, taken) } as const
    if (row.state === 'active') {
      const rest = restReturned(deps, transaction, reason)
      await endSubscription(deps, transaction, row, (ended) =>
        isTermOfOrder(ended) ? Promise.resolve(ofOrder) : rest(ended),
      )
    } else if (isTermOfOrder(row) && (await returnedWithOrder(transaction, row)) > 0)
      await returnToWallet(deps, transaction, row, ofOrder)
  }
}

/**
 * Takes the price again where money of an order comes back: a dispute was won, a refund failed. With all of it the plan goes on for what is left
 * of the term that the order paid for. A plan that is gone, and one of a later term, whose rest returned, leave the quota in the wallet.
 */
export async function resumeOrderedPlan(
  deps: PlanDeps,
  transaction: Transaction,
  { number, credits, quota_taken: stillTaken }: OrderRow,
  restored: number,
): Promise<void> {
  for (const row of await plansOfOrder(transaction, number)) {
    if (row.state === 'active' || !isTermOfOrder(row)) continue
    const amount = Math.min(await returnedWithOrder(transaction, row), restored)
    if (amount <= 0) continue
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
