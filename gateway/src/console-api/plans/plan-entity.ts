import type { planRoutes, windowRoutes } from '@tollgate/contract'

import { linesOf } from '../../billing/plans/account-plans'
import { standingsOf } from '../../billing/ledger/window/standings'
import { windowSettings } from '../../billing/ledger/window/read-windows'
import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import type { PlanRow, SubscriptionRow, WindowRow } from '../../platform/store/tables'

/** Resolves with the windows of plans, by plan. */
export async function windowsOfPlans(query: Queries, planIds: readonly number[]): Promise<Map<number, WindowRow[]>> {
  if (planIds.length === 0) return new Map()
  const rows = await query
    .selectFrom('windows')
    .selectAll()
    .where('owner', '=', 'plan')
    .where('ref', 'in', [...new Set(planIds)].map(String))
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, ({ ref }) => Number(ref))
}

export const planEntity = (plan: PlanRow, windows: readonly WindowRow[] = []): planRoutes.PlanEntity => ({
  id: plan.id,
  name: plan.name,
  description: plan.description,
  price: plan.price,
  length: plan.length,
  unit: plan.unit,
  models: linesOf(plan.models),
  groups: linesOf(plan.groups),
  max_per_user: plan.max_per_user,
  preference: plan.preference,
  is_on_sale: plan.is_on_sale === 1,
  windows: windows.map(windowSettings),
})

/** Resolves with subscriptions as their users see them. */
export async function subscriptionEntities(
  { database: { query }, clock, catalog }: Pick<Context, 'database' | 'clock' | 'catalog'>,
  rows: readonly SubscriptionRow[],
): Promise<planRoutes.Subscription[]> {
  const windows = await windowsOfPlans(
    query,
    rows.map(({ plan_id }) => plan_id),
  )
  const limited = rows
    .filter(({ state }) => state === 'active')
    .flatMap(({ id, plan_id }) => (windows.get(plan_id) ?? []).map((row) => ({ row, subjectId: id })))
  const times = { now: clock.seconds(), timeZone: catalog.current.options.SiteTimeZone }
  const standings = await standingsOf(query, limited, times)
  return rows.map((row) => subscriptionEntity(row, standings))
}

const subscriptionEntity = (
  row: SubscriptionRow,
  standings: readonly windowRoutes.WindowStanding[],
): planRoutes.Subscription => ({
  id: row.id,
  plan_id: row.plan_id,
  plan_name: row.plan_name,
  state: row.state,
  source: row.source,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  price: row.price as planRoutes.Subscription['price'],
  renews: row.renews === 1,
  preference: row.preference,
  next_plan_id: row.next_plan_id,
  trade_no: row.order_number,
  standings: standings.filter(({ subject_id: subjectId }) => subjectId === row.id),
})
