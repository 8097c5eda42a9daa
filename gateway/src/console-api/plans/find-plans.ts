import type { planRoutes, RouteInput } from '@tollgate/contract'
import { pageOf } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { SubscriptionRow } from '../../platform/store/tables'
import { planEntity, subscriptionEntities, windowsOfPlans } from './plan-entity'

const livePlans = ({ database: { query } }: Pick<Context, 'database'>) =>
  query.selectFrom('plans').selectAll().where('deleted_at', 'is', null)

/** Resolves with the plans that users can buy, cheapest first. */
export async function findPlansOnSale(ctx: Context): Promise<planRoutes.PlanEntity[]> {
  const plans = await livePlans(ctx).where('is_on_sale', '=', 1).orderBy('price').orderBy('id').execute()
  const windows = await windowsOfPlans(
    ctx.database.query,
    plans.map(({ id }) => id),
  )
  return plans.map((plan) => planEntity(plan, windows.get(plan.id)))
}

/** Resolves with a plan. @throws AppError `plan.none`. */
export async function onePlan(ctx: Pick<Context, 'database'>, id: number): Promise<planRoutes.PlanEntity> {
  const plan = await livePlans(ctx).where('id', '=', id).executeTakeFirst()
  if (!plan) throw new AppError('plan.none')
  return planEntity(plan, (await windowsOfPlans(ctx.database.query, [id])).get(id))
}

/** Resolves with all plans, what was sold of each and what it paid for. */
export async function findPlans(ctx: Context): Promise<planRoutes.PlanSales[]> {
  const { query } = ctx.database
  const plans = await livePlans(ctx).orderBy('price').orderBy('id').execute()
  const windows = await windowsOfPlans(
    query,
    plans.map(({ id }) => id),
  )
  const sales = await query
    .selectFrom('subscriptions')
    .select((eb) => [
      'plan_id',
      eb.fn.countAll<number>().as('sold'),
      sql<number>`sum(case when state = 'active' then 1 else 0 end)`.as('active'),
      eb.fn.sum<number>('paid').as('revenue'),
      eb.fn.sum<number>('used').as('used'),
    ])
    .groupBy('plan_id')
    .execute()
  const salesOf = new Map(sales.map(({ plan_id, ...figures }) => [plan_id, figures]))
  return plans.map((plan) => {
    const { active = 0, sold = 0, revenue = 0, used = 0 } = salesOf.get(plan.id) ?? {}
    return {
      ...planEntity(plan, windows.get(plan.id)),
      active,
      sold,
      revenue: revenue as planRoutes.PlanSales['revenue'],
      used: used as planRoutes.PlanSales['used'],
    }
  })
}

/** Resolves with a subscription of a user, or of any. @throws AppError `subscription.none`. */
export async function subscriptionRow(ctx: Context, id: number, userId?: number): Promise<SubscriptionRow> {
  const row = await ctx.database.query
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', id)
    .$if(userId !== undefined, (rows) => rows.where('user_id', '=', userId ?? 0))
    .executeTakeFirst()
  if (!row) throw new AppError('subscription.none')
  return row
}

/** Resolves with a user's subscriptions, running ones first, then the newest. */
export async function findOwnSubscriptions(ctx: Context, userId: number): Promise<planRoutes.Subscription[]> {
  const rows = await ctx.database.query
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('state')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return subscriptionEntities(ctx, rows)
}

type Sum = planRoutes.UserSubscription['paid']
type Query = RouteInput<typeof planRoutes.listSubscriptions>['query']

/** Resolves with a page of the subscriptions of all users, newest first. */
export async function findSubscriptions(ctx: Context, query: Query) {
  const { page, size, offset } = pageOf(query)
  const { plan_id: planId, user_id: userId, state } = query
  const found = ctx.database.query
    .selectFrom('subscriptions')
    .$if(planId !== undefined, (rows) => rows.where('plan_id', '=', planId ?? 0))
    .$if(userId !== undefined, (rows) => rows.where('user_id', '=', userId ?? 0))
    .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? 'active'))
  const rows = await found.selectAll().orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await withUsers(ctx, rows), page, page_size: size, total }
}

/** Resolves with subscriptions as operators see them. */
export async function withUsers(
  ctx: Context,
  rows: readonly SubscriptionRow[],
): Promise<planRoutes.UserSubscription[]> {
  const ids = [...new Set(rows.map(({ user_id }) => user_id))]
  const users =
    ids.length === 0
      ? []
      : await ctx.database.query.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  const names = new Map(users.map(({ id, username }) => [id, username]))
  const entities = await subscriptionEntities(ctx, rows)
  return entities.map((entity, index) => {
    const row = rows[index]
    const userId = row?.user_id ?? 0
    const sums = { paid: (row?.paid ?? 0) as Sum, used: (row?.used ?? 0) as Sum }
    return { ...entity, ...sums, user_id: userId, username: names.get(userId) ?? '' }
  })
}
