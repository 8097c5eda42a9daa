import type { planRoutes } from '@tollgate/contract'
import type { Generated } from 'kysely'

/** What users subscribe to. Its windows are in `windows`, with the owner `plan`. */
export interface PlansTable {
  id: Generated<number>
  name: string
  description: Generated<string>
  /** Quota, for each term. */
  price: number
  /** A term is this many units. */
  length: number
  unit: planRoutes.PlanUnit
  /** One in a line; empty: every model. */
  models: Generated<string>
  /** One in a line; empty: every group. */
  groups: Generated<string>
  max_per_user: Generated<number>
  preference: planRoutes.PlanPreference
  is_on_sale: Generated<number>
  created_at: number
  deleted_at: number | null
}

export interface SubscriptionsTable {
  id: Generated<number>
  user_id: number
  plan_id: number
  plan_name: string
  state: planRoutes.SubscriptionState
  source: planRoutes.SubscriptionSource
  starts_at: number
  ends_at: number
  /** The number of the present term, from 1. */
  term: Generated<number>
  /** Quota that was paid for the present term. */
  price: Generated<number>
  /** Quota that was paid for all terms, less what was returned. */
  paid: Generated<number>
  /** Quota of the calls that it paid for. */
  used: Generated<number>
  renews: Generated<number>
  preference: planRoutes.PlanPreference
  /** The plan from the next term on; 0: the same. */
  next_plan_id: Generated<number>
  /** The order that paid for the first term; empty: none. */
  order_number: Generated<string>
  created_at: number
}

export interface PlanTables {
  plans: PlansTable
  subscriptions: SubscriptionsTable
}
