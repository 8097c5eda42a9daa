import { planRoutes, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { buyPlan, findPlanOnSale, upgradePlan, upgradePrice } from '../../billing/plans/buy-plan'
import { findRest, type Rest } from '../../billing/plans/rest'
import {
  beginSubscription,
  endSubscription,
  findPlan,
  requireRenewable,
  restReturned,
} from '../../billing/plans/subscription'
import { handler, type Call, type Handler } from '../../http/handler'
import type { SubscriptionRow } from '../../platform/store/tables'
import { addPlan, changePlan, removePlan } from './change-plans'
import {
  findOwnSubscriptions,
  findPlans,
  findPlansOnSale,
  findSubscriptions,
  subscriptionRow,
  withUsers,
} from './find-plans'
import { subscriptionEntities } from './plan-entity'

export const planHandlers: readonly Handler[] = [
  handler(planRoutes.plansOnSale, (_input, { ctx }) => findPlansOnSale(ctx)),
  handler(planRoutes.ownSubscriptions, (_input, { ctx, caller }) => findOwnSubscriptions(ctx, caller.userId)),
  handler(planRoutes.buyPlan, async ({ body }, call) => {
    const { ctx, caller } = call
    const row = await buyPlan(ctx, { userId: caller.userId, planId: body.plan_id, renews: body.renews })
    return recordSubscription(call, row)
  }),
  handler(planRoutes.upgradePrice, async ({ params, query }, { ctx, caller }) => {
    const running = await runningSubscription(ctx, params.id, caller.userId)
    const { price, rest } = await upgradePrice(ctx, running, await findPlanOnSale(ctx, query.plan_id))
    return { price: quota(price), ...restEntity(rest) }
  }),
  handler(planRoutes.upgradePlan, async ({ params, body }, call) => {
    const { ctx, caller } = call
    const running = await runningSubscription(ctx, params.id, caller.userId)
    return recordSubscription(call, await upgradePlan(ctx, running, body.plan_id))
  }),
  handler(planRoutes.changeSubscription, ({ params, body }, call) => changeSubscription(params.id, body, call)),
  handler(planRoutes.listPlans, (_input, { ctx }) => findPlans(ctx)),
  handler(planRoutes.createPlan, ({ body }, call) => addPlan(body, call)),
  handler(planRoutes.updatePlan, ({ params, body }, call) => changePlan(params.id, body, call)),
  handler(planRoutes.deletePlan, async ({ params }, call) => {
    await removePlan(params.id, call)
    return undefined
  }),
  handler(planRoutes.listSubscriptions, ({ query }, { ctx }) => findSubscriptions(ctx, query)),
  handler(planRoutes.givePlan, async ({ params, body }, call) => {
    const { ctx } = call
    const plan = await findPlan(ctx.database.query, params.id)
    const row = await ctx.database.query
      .transaction()
      .execute((transaction) =>
        beginSubscription(ctx, transaction, { userId: body.user_id, plan, source: 'admin', paid: 0 }),
      )
    return recordForOperator(call, row)
  }),
  handler(planRoutes.subscriptionRest, async ({ params }, { ctx }) => {
    const row = await subscriptionRow(ctx, params.id)
    return restEntity(await findRest(ctx.database.query, row, ctx.clock.seconds()))
  }),
  handler(planRoutes.endSubscription, async ({ params, body }, call) => {
    const { ctx } = call
    const { id } = await subscriptionRow(ctx, params.id)
    const row = await ctx.database.query
      .transaction()
      .execute((transaction) =>
        endSubscription(
          ctx,
          transaction,
          { id },
          body.returns_rest ? restReturned(ctx, transaction, 'rest') : undefined,
        ),
      )
    if (!row) throw new AppError('subscription.ended')
    return recordForOperator(call, row)
  }),
]

const quota = (amount: number) => amount as planRoutes.Subscription['price']

const restEntity = ({ amount, byTime, byUse }: Rest) => ({
  rest: quota(amount),
  rest_by_time: quota(byTime),
  rest_by_use: byUse && { limit: byUse.limit, rest: quota(byUse.amount) },
})

/** @throws AppError `subscription.none`, `subscription.ended`. */
async function runningSubscription(ctx: Call['ctx'], id: number, userId: number): Promise<SubscriptionRow> {
  const row = await subscriptionRow(ctx, id, userId)
  if (row.state !== 'active') throw new AppError('subscription.ended')
  return row
}

/** What an account change leaves behind: an entry of the audit log, and the news for every worker. */
async function recordSubscription(
  { ctx, audit }: Call<'user'>,
  row: SubscriptionRow,
): Promise<planRoutes.Subscription> {
  audit.target('subscription', row.id, row.plan_name)
  audit.recordChange({}, { plan: row.plan_name, paid: row.paid, ends_at: row.ends_at, state: row.state })
  await ctx.changes.deliver()
  const [entity] = await subscriptionEntities(ctx, [row])
  if (!entity) throw new AppError('subscription.none')
  return entity
}

async function recordForOperator(call: Call<'user'>, row: SubscriptionRow): Promise<planRoutes.UserSubscription> {
  await recordSubscription(call, row)
  const [entity] = await withUsers(call.ctx, [row])
  if (!entity) throw new AppError('subscription.none')
  return entity
}

type Body = RouteInput<typeof planRoutes.changeSubscription>['body']

async function changeSubscription(
  id: number,
  { renews, preference, next_plan_id: nextPlanId }: Body,
  call: Call<'user'>,
) {
  const { ctx, caller } = call
  const before = await runningSubscription(ctx, id, caller.userId)
  if (nextPlanId) await findPlanOnSale(ctx, nextPlanId)
  if (renews === true) {
    const next = (nextPlanId ?? before.next_plan_id) || before.plan_id
    requireRenewable(await findPlan(ctx.database.query, next))
  }
  const row = await ctx.database.query.transaction().execute(async (transaction) => {
    const after = await transaction
      .updateTable('subscriptions')
      // What is not sent stays: a renewal or another change may come at the same time.
      .set((eb) => ({
        renews: renews === undefined ? eb.ref('renews') : Number(renews),
        preference: preference ?? eb.ref('preference'),
        next_plan_id: nextPlanId ?? eb.ref('next_plan_id'),
      }))
      .where('id', '=', id)
      .where('state', '=', 'active')
      .returningAll()
      .executeTakeFirst()
    if (!after) throw new AppError('subscription.ended')
    await ctx.changes.announce({ topic: 'user', refId: caller.userId }, transaction)
    return after
  })
  return recordSubscription(call, row)
}
