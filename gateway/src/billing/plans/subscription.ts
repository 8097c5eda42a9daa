import type { planRoutes } from '@tollgate/contract'
import { expressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { PlanRow, SubscriptionRow, Tables } from '../../platform/store/tables'
import { keepPeriods, noteUseBefore } from './plan-periods'
import { findRest } from './rest'
import { termEnd } from './term'

export type PlanDeps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'ledger'>

/** Whether a user can buy a plan, or has had a subscription. */
export function hasPlans(query: Queries, userId: number): ExpressionWrapper<Tables, never, SqlBool> {
  const onSale = query.selectFrom('plans').select('id').where('deleted_at', 'is', null).where('is_on_sale', '=', 1)
  const own = query.selectFrom('subscriptions').select('id').where('user_id', '=', userId)
  const eb = expressionBuilder<Tables>()
  return eb.or([eb.exists(onSale), eb.exists(own)])
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

/** A plan that costs nothing and is not on sale was a gift, for one term. @throws AppError `plan.not_on_sale`. */
export function requireRenewable({ price, is_on_sale: isOnSale }: PlanRow): void {
  if (price === 0 && isOnSale !== 1) throw new AppError('plan.not_on_sale')
}

/** Resolves with a plan that is not deleted before the transaction ends. @throws AppError `plan.none` for one that is gone. */
export async function lockPlan({ database }: PlanDeps, transaction: Transaction, planId: number): Promise<PlanRow> {
  const plan = await transaction
    .selectFrom('plans')
    .selectAll()
    .where('id', '=', planId)
    .where('deleted_at', 'is', null)
    .$if(database.kind === 'postgres', (query) => query.forShare())
    .executeTakeFirst()
  if (!plan) throw new AppError('plan.none')
  return plan
}

/**
 * Begins a subscription and takes its price from the wallet, which must be known to cover it.
 * @throws AppError `plan.user_limit` when the user runs the plan as often as is allowed, `plan.none`, `user.none`.
 */
export async function beginSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  { userId, plan, source, paid, price = paid, renews = false, orderNumber = '' }: Beginning,
): Promise<SubscriptionRow> {
  await lockUser(deps, transaction, userId)
  await lockPlan(deps, transaction, plan.id)
  await requireRoom(transaction, { userId, plan })
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
  // What a gift or a code begins is new.
  if (plan.price === 0 && source === 'wallet')
    await keepPeriods(deps.database, transaction, { subscriptionId: subscription.id, planId: plan.id, userId, now })
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

interface Room {
  readonly userId: number
  readonly plan: PlanRow
  /** A subscription that does not count. */
  readonly exceptId?: number
}

/** @throws AppError `plan.user_limit`. */
async function requireRoom(transaction: Transaction, { userId, plan, exceptId = 0 }: Room): Promise<void> {
  const { count } = await transaction
    .selectFrom('subscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('plan_id', '=', plan.id)
    .where('state', '=', 'active')
    .where('id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  if (count >= plan.max_per_user) throw new AppError('plan.user_limit', { params: { limit: plan.max_per_user } })
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

/**
 * Renews a subscription with a plan for another term, and takes the price from the wallet of its user, which is locked. Resolves with false
 * where that happened already.
 * @throws AppError `plan.none`; `plan.user_limit` where another plan begins that the user runs as often as is allowed.
 */
export async function renewSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  before: SubscriptionRow,
  plan: PlanRow,
): Promise<boolean> {
  await lockPlan(deps, transaction, plan.id)
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
  const { id: subscriptionId, user_id: userId } = after
  const periodsOf = { subscriptionId, planId: plan.id, userId, startsAt, now, isPaid: plan.price > 0 }
  if (plan.id !== before.plan_id) {
    await requireRoom(transaction, { userId, plan, exceptId: subscriptionId })
    if (plan.price === 0) await keepPeriods(deps.database, transaction, periodsOf)
  }
  await noteUseBefore(deps.database, transaction, periodsOf)
  await takePrice(deps, transaction, after, plan.price)
  await announceUser(deps, transaction, userId)
  return true
}

const lateSeconds = 3600

/** Quota that goes back to the wallet when a subscription ends, and why. */
interface Returned {
  readonly reason: 'rest' | 'upgrade' | `order:${string}`
  readonly amount: number
}

/** A subscription, or one of its terms alone. */
interface Ending {
  readonly id: number
  readonly term?: number
}

/** Ends a subscription that runs. Resolves with its row, null where it had ended, or its term had. */
export async function endSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  { id, term }: Ending,
  returnedBy: (subscription: SubscriptionRow) => Promise<Returned | null> = () => Promise.resolve(null),
): Promise<SubscriptionRow | null> {
  const now = deps.clock.seconds()
  await lockOwner(deps, transaction, id)
  const ended = await transaction
    .updateTable('subscriptions')
    .set({ state: 'ended', renews: 0 })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .$if(term !== undefined, (rows) => rows.where('term', '=', term ?? 0))
    .returningAll()
    .executeTakeFirst()
  if (!ended) return null
  const returned = await returnedBy(ended)
  const after = await transaction
    .updateTable('subscriptions')
    .set({ ends_at: Math.min(ended.ends_at, Math.max(now, ended.starts_at)) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await announceUser(deps, transaction, ended.user_id)
  return returned ? returnToWallet(deps, transaction, after, returned) : after
}

/** Returns quota that a subscription cost, or takes it again. Resolves with its row. */
export async function returnToWallet(
  { ledger }: PlanDeps,
  transaction: Transaction,
  subscription: SubscriptionRow,
  { reason, amount }: Returned,
): Promise<SubscriptionRow> {
  if (amount === 0) return subscription
  const { id, user_id: userId, plan_name: detail } = subscription
  await ledger.credit({ id: `plan:${id}:${reason}`, userId, kind: 'plan', amount, detail }, transaction)
  return transaction
    .updateTable('subscriptions')
    .set((eb) => ({ paid: eb('paid', '-', amount) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Goes on with a subscription that ended before its time, for what is left of its term. */
export async function resumeSubscription(
  deps: PlanDeps,
  transaction: Transaction,
  { id, user_id: userId, starts_at: startsAt }: SubscriptionRow,
  plan: PlanRow,
): Promise<void> {
  const endsAt = termEnd(startsAt, plan, timeZoneOf(deps))
  if (endsAt <= deps.clock.seconds()) return
  await transaction
    .updateTable('subscriptions')
    .set({ state: 'active', ends_at: endsAt })
    .where('id', '=', id)
    .execute()
  await announceUser(deps, transaction, userId)
}

/** Locks the user of a subscription: users are locked before their subscriptions, as where charges are applied. */
async function lockOwner({ database }: PlanDeps, transaction: Transaction, id: number): Promise<void> {
  if (database.kind === 'sqlite') return
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', (query) => query.selectFrom('subscriptions').select('user_id').where('id', '=', id))
    .forUpdate()
    .execute()
}

/** Returns what finds what is left of the present term of a subscription. */
export const restReturned =
  ({ clock }: Pick<PlanDeps, 'clock'>, transaction: Transaction, reason: Returned['reason']) =>
  async (subscription: SubscriptionRow): Promise<Returned> => {
    const { amount } = await findRest(transaction, subscription, clock.seconds())
    return { reason, amount }
  }
