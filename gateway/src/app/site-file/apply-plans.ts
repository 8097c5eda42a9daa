import type { planRoutes } from '@tollgate/contract'

import { addPlan, changePlan, removePlan } from '../../console-api/plans/change-plans'
import { differenceLines } from './difference-lines'
import { canonicalWindows, fileWindows, withIds } from './file-windows'
import { makeChange, type SiteEdit } from './site-edit'
import type { FilePlan, SiteFile } from './site-file'
import type { PlanState, SiteState } from './site-state'

/** Creates, changes and removes plans, as a file says. */
export async function applyPlans(
  requested: NonNullable<SiteFile['plans']>,
  { plans }: SiteState,
  edit: SiteEdit,
): Promise<void> {
  for (const [name, plan] of plans) if (requested[name] === undefined) await removeUnnamed(name, plan, edit)
  for (const [name, plan] of Object.entries(requested)) {
    const before = plans.get(name)
    await (before ? change(plan, before, edit) : add(name, plan, edit))
  }
}

const markOf = ({ row: { id, created_at } }: PlanState) =>
  ({ kind: 'plans', ref: String(id), createdAt: created_at }) as const

async function removeUnnamed(name: string, plan: PlanState, edit: SiteEdit): Promise<void> {
  const { applied, isPruning, note } = edit
  if (!isPruning && !applied.has(markOf(plan))) return
  note(`- plans.${name}`)
  await makeChange(edit, { action: 'plan.delete', path: ['plans'] }, (call) => removePlan(plan.row.id, call))
  await applied.remove(markOf(plan))
}

async function add(name: string, plan: FilePlan, edit: SiteEdit): Promise<void> {
  const { ctx, applied, note } = edit
  note(`+ plans.${name}`)
  const { id } = await makeChange(edit, { action: 'plan.create', path: ['plans', name] }, (call) =>
    addPlan({ ...canonicalPlan(plan), name }, call),
  )
  const { created_at: createdAt } = await ctx.database.query
    .selectFrom('plans')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await applied.add({ kind: 'plans', ref: String(id), createdAt })
}

async function change(plan: FilePlan, { entity }: PlanState, edit: SiteEdit): Promise<void> {
  const { name } = entity
  const requested = canonicalPlan(plan)
  const lines = differenceLines(filePlan(entity), requested)
  if (lines.length === 0) return
  edit.note(`~ plans.${name}`)
  for (const line of lines) edit.note(line)
  const windows = withIds(requested.windows, entity.windows)
  await makeChange(edit, { action: 'plan.update', path: ['plans', name] }, (call) =>
    changePlan(entity.id, { ...requested, name, windows }, call),
  )
}

/** Returns a plan as it is stored. */
const canonicalPlan = (plan: FilePlan): FilePlan => ({
  ...plan,
  models: [...new Set(plan.models)],
  groups: [...new Set(plan.groups)],
  windows: canonicalWindows(plan.windows),
})

/** Returns a plan as a file has it. */
export const filePlan = ({ id: _id, name: _name, windows, ...plan }: planRoutes.PlanEntity): FilePlan => ({
  ...plan,
  windows: fileWindows(windows),
})
