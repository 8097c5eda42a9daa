import { planRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { checkWindows } from '../../billing/ledger/window/check-windows'
import { setWindowsIn } from '../../billing/ledger/window/set-windows'
import type { SiteContext } from '../../context'
import type { SiteChange } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'
import type { PlanRow } from '../../platform/store/tables'
import { onePlan } from './find-plans'

type Settings = planRoutes.PlanSettings

const isWhole = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

const maxPerUser = 100

/** @throws AppError of the `plan.` and `window.` families for what cannot be. */
function checkPlan(settings: Settings, ctx: SiteContext): void {
  const { maxPlanPrice, maxPlanLength } = planRoutes
  const { name, price, length, models, groups, max_per_user: maxRunning, windows } = settings
  if (name === '') throw new AppError('plan.name')
  if (!isWhole(price, 0, maxPlanPrice)) throw new AppError('plan.price', { params: { max: maxPlanPrice } })
  if (!isWhole(length, 1, maxPlanLength)) throw new AppError('plan.length', { params: { max: maxPlanLength } })
  if (!isWhole(maxRunning, 1, maxPerUser)) throw new AppError('plan.max_per_user', { params: { max: maxPerUser } })
  const wrong = models.find((model) => !/^[^\s*]*(?:[^\s*]|\*)$/.test(model))
  if (wrong !== undefined) throw new AppError('plan.models', { params: { model: wrong } })
  const known = ctx.catalog.current.options.GroupRatio
  const gone = groups.find((group) => known[group] === undefined)
  if (gone !== undefined) throw new AppError('plan.group', { params: { group: gone } })
  checkWindows(windows, { ctx, owner: 'plan' })
}

const columnsOf = ({ name, description, price, length, unit, models, groups, ...rest }: Settings) => ({
  name,
  description,
  price,
  length,
  unit,
  models: [...new Set(models)].join('\n'),
  groups: [...new Set(groups)].join('\n'),
  max_per_user: rest.max_per_user,
  preference: rest.preference,
  is_on_sale: rest.is_on_sale ? 1 : 0,
})

/** Resolves with the id of a new plan. @throws AppError `plan.many`, and as `checkPlan`. */
export async function createPlan(ctx: SiteContext, settings: Settings): Promise<number> {
  checkPlan(settings, ctx)
  const id = await ctx.database.query.transaction().execute(async (transaction) => {
    const created_at = ctx.clock.seconds()
    const row = await transaction
      .insertInto('plans')
      .values({ ...columnsOf(settings), created_at, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await refuseRepeated(transaction)
    await setWindowsIn(ctx, transaction, { owner: 'plan', ref: String(row.id) }, settings.windows)
    return row.id
  })
  return id
}

/** Checked after the write, which has locked the table's last row on SQLite; on PostgreSQL a second plan of one name is harmless. */
async function refuseRepeated(transaction: Transaction): Promise<void> {
  const plans = await transaction.selectFrom('plans').select('name').where('deleted_at', 'is', null).execute()
  if (new Set(plans.map(({ name }) => name)).size < plans.length) throw new AppError('plan.name')
  if (plans.length > planRoutes.maxPlans) throw new AppError('plan.many', { params: { limit: planRoutes.maxPlans } })
}

/** Running subscriptions have the new windows, models and groups at once. @throws AppError `plan.none`, and as `checkPlan`. */
async function updatePlan(ctx: SiteContext, id: number, settings: Settings): Promise<void> {
  checkPlan(settings, ctx)
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('plans')
      .set(columnsOf(settings))
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('plan.none')
    await refuseRepeated(transaction)
    await setWindowsIn(ctx, transaction, { owner: 'plan', ref: String(id) }, settings.windows)
    await announceUsers(ctx, transaction, id)
  })
  await ctx.changes.deliver()
}

/** Workers have the plans of users in memory. */
async function announceUsers({ changes }: SiteContext, transaction: Transaction, planId: number): Promise<void> {
  const users = await transaction
    .selectFrom('subscriptions')
    .select('user_id')
    .distinct()
    .where('plan_id', '=', planId)
    .where('state', '=', 'active')
    .execute()
  for (const { user_id: refId } of users) await changes.announce({ topic: 'user', refId }, transaction)
}

/** @throws AppError `plan.none`, `plan.running`. */
export async function deletePlan(ctx: SiteContext, id: number): Promise<PlanRow> {
  return ctx.database.query.transaction().execute(async (transaction) => {
    // Locked before the count, so that none begins meanwhile.
    const plan = await transaction
      .updateTable('plans')
      .set({ deleted_at: ctx.clock.seconds() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!plan) throw new AppError('plan.none')
    const { count } = await transaction
      .selectFrom('subscriptions')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('plan_id', '=', id)
      .where('state', '=', 'active')
      .executeTakeFirstOrThrow()
    if (count > 0) throw new AppError('plan.running', { params: { count } })
    await transaction.deleteFrom('windows').where('owner', '=', 'plan').where('ref', '=', String(id)).execute()
    return plan
  })
}

/** Creates a plan, which the audit log has. @throws AppError as `createPlan`. */
export async function addPlan(settings: Settings, { ctx, audit }: SiteChange): Promise<planRoutes.PlanEntity> {
  const plan = await onePlan(ctx, await createPlan(ctx, settings))
  audit.target('plan', plan.id, plan.name)
  audit.recordChange({}, factsOf(plan))
  return plan
}

/** Changes a plan; the audit log has it before and after. @throws AppError as `updatePlan`. */
export async function changePlan(
  id: number,
  settings: Settings,
  { ctx, audit }: SiteChange,
): Promise<planRoutes.PlanEntity> {
  const before = await onePlan(ctx, id)
  await updatePlan(ctx, id, settings)
  const plan = await onePlan(ctx, id)
  audit.target('plan', plan.id, plan.name)
  audit.recordChange(factsOf(before), factsOf(plan))
  return plan
}

/** @throws AppError as `deletePlan`. */
export async function removePlan(planId: number, { ctx, audit }: SiteChange): Promise<void> {
  const { id, name } = await deletePlan(ctx, planId)
  audit.target('plan', id, name)
}

const factsOf = ({ windows, ...plan }: planRoutes.PlanEntity) => ({
  ...plan,
  models: plan.models.join(','),
  groups: plan.groups.join(','),
  windows: JSON.stringify(windows.map(({ id: _id, ...settings }) => settings)),
})
