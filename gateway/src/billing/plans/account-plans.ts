import type { planRoutes } from '@tollgate/contract'

import type { Queries } from '../../platform/store/database'
import type { WindowRow } from '../../platform/store/tables'
import type { LimitWindow } from '../ledger/window/limit-window'
import { limitWindow } from '../ledger/window/read-windows'

/** A subscription of a user as a model call needs it. */
export interface AccountPlan {
  readonly subscriptionId: number
  readonly name: string
  /** Unix seconds. */
  readonly endsAt: number
  /** The Unix second at which its limits that never reset begin, as the present term was paid for; 0: those of an earlier one go on. */
  readonly paidSince: number
  readonly preference: planRoutes.PlanPreference
  /** Names, `*` at the end for all that begin so; empty: every model. */
  readonly models: readonly string[]
  /** Empty: every group. */
  readonly groups: readonly string[]
  readonly windows: readonly WindowRow[]
}

/** Resolves with the subscriptions of a user that run, the one that ends first first. */
export async function plansOfUser(query: Queries, userId: number): Promise<AccountPlan[]> {
  const rows = await query
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select([
      'subscriptions.id',
      'subscriptions.plan_id',
      'subscriptions.starts_at',
      'subscriptions.ends_at',
      'subscriptions.price',
      'subscriptions.preference',
      'plans.name',
      'plans.models',
      'plans.groups',
    ])
    .where('subscriptions.user_id', '=', userId)
    .where('subscriptions.state', '=', 'active')
    .orderBy('subscriptions.ends_at')
    .execute()
  if (rows.length === 0) return []
  const windows = await query
    .selectFrom('windows')
    .selectAll()
    .where('owner', '=', 'plan')
    .where('ref', 'in', [...new Set(rows.map(({ plan_id }) => String(plan_id)))])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    subscriptionId: row.id,
    name: row.name,
    endsAt: row.ends_at,
    paidSince: row.price > 0 ? row.starts_at : 0,
    preference: row.preference,
    models: linesOf(row.models),
    groups: linesOf(row.groups),
    windows: windows.filter(({ ref }) => ref === String(row.plan_id)),
  }))
}

/** Returns the limits of a subscription, without caps. */
export const windowsOfPlan = (
  { windows, subscriptionId, paidSince }: AccountPlan,
  siteTimeZone: string,
): LimitWindow[] => windows.flatMap((row) => limitWindow(row, subscriptionId, siteTimeZone, paidSince) ?? [])

/** Returns the lines of a column; none for an empty one. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

/** Returns whether a plan pays for a model in a group. */
export const covers = ({ models, groups }: AccountPlan, model: string, group: string): boolean =>
  (groups.length === 0 || groups.includes(group)) &&
  (models.length === 0 || models.some((name) => isNamed(model, name)))

const isNamed = (model: string, name: string): boolean =>
  name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name
