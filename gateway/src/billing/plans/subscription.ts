import type { planRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { PlanRow, SubscriptionRow } from '../../platform/store/tables'
import { restOf, termEnd } from './term'

export type PlanDeps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'ledger'>

/** Resolves with whether a user can buy a plan, or has had a subscription. */
export async function hasPlans(query: Queries, userId: number): Promise<boolean> {
  const onSale = query.selectFrom('plans').select('id').where('deleted_at', 'is', null).where('is_on_sale', '=', 1)
  const own = query.selectFrom('subscriptions').select('id').where('user_id', '=', userId)
  const { found } = await query
    .selectNoFrom((eb) => eb.or([eb.exists(onSale), eb.exists(own)]).as('found'))
    .executeTakeFirstOrThrow()
  return Boolean(found)
}

/** What begins. */
interface Beginning {
  readonly userId: number
  readonly plan: PlanRow
  readonly source: planRoutes.SubscriptionSource
  /** Quota that is paid for the first term now. */
  readonly paid: number
  /** What the term is worth. Default: what is paid. */
  readonly price?: number
  readonly renews?: boolean
  readonly orderNumber?: string
}

const timeZoneOf = ({ catalog }: PlanDeps): string => catalog.current.options.SiteTimeZone

/** Resolves with a plan that exists. @throws AppError `plan.none`. */
export async function findPlan(query: Transaction | Context['database']['query'], planId: number): Promise<PlanRow> {
  const plan = await query
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', planId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!plan) throw new AppError('plan.none')
  return plan
}

/**
 * Begins a subscription and takes its price from the wallet, which must be known to cover it.
 * @throws AppError `plan.user_limit` when the user runs the plan as often as is allowed, `user.none`.
 */
export async function beginSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  { userId, plan, source, paid, price = paid, renews = false, orderNumber = '' }: Beginning,
): Promise<SubscriptionRow> {
  await lockUser(deps, transaction, userId)
  const running = await countRunning(transaction, userId, plan.id)
  if (running >= plan.max_per_user) throw new AppError('plan.user_limit', { params: { limit: plan.max_per_user } })
  const now = deps.clock.seconds()
  const subscription = await transaction
    .insertInto('subscriptions')
    .values({
      user_id: userId,
      plan_id: plan.id,
      plan_name: plan.name,
      state: 'active',
      source,
      starts_at: now,
      ends_at: termEnd(now, plan, timeZoneOf(deps)),
      price,
      paid,
      renews: renews ? 1 : 0,
      preference: plan.preference,
      order_number: orderNumber,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await takePrice(deps, transaction, subscription, paid)
  await announceUser(deps, transaction, userId)
  return subscription
}

/** Subscriptions of one user begin one after the other. */
async function lockUser({ database }: PlanDeps, transaction: Transaction, userId: number): Promise<void> {
  const user = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(database.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!user) throw new AppError('user.none')
}

async function countRunning(transaction: Transaction, userId: number, planId: number): Promise<number> {
  const { count } = await transaction
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('plan_id', '=', planId)
    .where('state', '=', 'active')
    .executeTakeFirstOrThrow()
  return count
}

/** Once for each term. */
async function takePrice(
  { ledger }: PlanDeps,
  transaction: Transaction,
  { id, user_id, term, plan_name }: SubscriptionRow,
  paid: number,
) {
  if (paid === 0) return
  const credit = { id: `plan:${id}:${term}`, userId: user_id, kind: 'plan', amount: -paid, detail: plan_name } as const
  await ledger.credit(credit, transaction)
}

const announceUser = ({ changes }: PlanDeps, transaction: Transaction, userId: number) =>
  changes.announce({ topic: 'user', refId: userId }, transaction)

/** Renews a subscription with a plan for another term, and takes the price. Resolves with false where that happened already. */
export async function renewSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  before: SubscriptionRow,
  plan: PlanRow,
): Promise<boolean> {
  const now = deps.clock.seconds()
  // After a long stand-still it begins now: nothing is paid for time in which nothing was served.
  const startsAt = before.ends_at < now - lateSeconds ? now : before.ends_at
  const after = await transaction
    .updateTable('subscriptions')
    .set({
      plan_id: plan.id,
      plan_name: plan.name,
      starts_at: startsAt,
      ends_at: termEnd(startsAt, plan, timeZoneOf(deps)),
      term: before.term + 1,
      price: plan.price,
      paid: before.paid + plan.price,
      next_plan_id: 0,
    })
    .where('id', '=', before.id)
    .where('term', '=', before.term)
    .where('state', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  if (!after) return false
  await takePrice(deps, transaction, after, plan.price)
  await announceUser(deps, transaction, after.user_id)
  return true
}

const lateSeconds = 3600

/** Quota that goes back to the wallet when a subscription ends, and why. */
interface Returned {
  readonly reason: 'rest' | 'upgrade' | `order:${string}`
  readonly amount: number
}

/** Ends a subscription that runs. Resolves with its row, null where it had ended. */
export async function endSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  id: number,
  returnedBy: (subscription: SubscriptionRow) => Returned | null = () => null,
): Promise<SubscriptionRow | null> {
  const now = deps.clock.seconds()
  const ended = await transaction
    .updateTable('subscriptions')
    .set({ state: 'ended', renews: 0 })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  if (!ended) return null
  const returned = returnedBy(ended)
  const amount = returned?.amount ?? 0
  const after = await transaction
    .updateTable('subscriptions')
    .set({ ends_at: Math.min(ended.ends_at, Math.max(now, ended.starts_at)), paid: ended.paid - amount })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (returned && amount > 0) {
    const creditId = `plan:${id}:${returned.reason}`
    const credit = { id: creditId, userId: ended.user_id, kind: 'plan', amount, detail: ended.plan_name } as const
    await deps.ledger.credit(credit, transaction)
  }
  await announceUser(deps, transaction, ended.user_id)
  return after
}

/** Returns what is left of the present term of a subscription. */
export const restReturned =
  (now: number) =>
  (subscription: SubscriptionRow): Returned => ({
    reason: 'rest',
    amount: Math.min(subscription.paid, restOf(subscription, now)),
  })
