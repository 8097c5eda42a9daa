import * as z from 'zod'

import { listOf, PageQuery } from '../http/paging'
import { route } from '../http/route'
import { idText, nameText, plainText, Quota, UserId } from '../pricing/units'
import { WindowSettings, WindowStanding } from './windows'

/** Which pays first for a call that a plan covers. `plan_only`: the wallet never does. */
export const planPreferences = ['plan_first', 'wallet_first', 'plan_only'] as const
export type PlanPreference = (typeof planPreferences)[number]

/** The unit of a plan's length. */
export const planUnits = ['day', 'month', 'year'] as const
export type PlanUnit = (typeof planUnits)[number]

/** `ended`: at its time, by hand, or as its payment was returned. */
export const subscriptionStates = ['active', 'ended'] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

/** How a subscription came about. */
export const subscriptionSources = ['wallet', 'order', 'code', 'admin'] as const
export type SubscriptionSource = (typeof subscriptionSources)[number]

export const maxPlans = 200
export const maxPlanPrice = 1e15
export const maxPlanLength = 120

const PlanId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** A plan as it is set. */
export const PlanSettings = z.object({
  name: nameText(50),
  /** Shown to buyers; plain text. */
  description: plainText(2000).default(''),
  /** Quota, for each term; 0: given, not sold. */
  price: z.number(),
  /** A term is this many units. */
  length: z.number(),
  unit: z.enum(planUnits),
  /** Names of models it pays for, `*` at the end for all that begin so; empty: every model. */
  models: z.array(plainText(255)).max(500).default([]),
  /** Groups in which it pays; empty: every group. */
  groups: z.array(plainText(64)).max(100).default([]),
  /** Running at the same time for one user. */
  max_per_user: z.number().default(1),
  preference: z.enum(planPreferences).default('plan_first'),
  /** Users may buy it. */
  is_on_sale: z.boolean().default(true),
  /** Its windows, each of which counts for one subscription. */
  windows: z.array(WindowSettings).default([]),
})
export type PlanSettings = z.output<typeof PlanSettings>

/** A plan as buyers see it. */
export const PlanEntity = PlanSettings.extend({ id: z.int(), windows: z.array(WindowSettings.required({ id: true })) })
export type PlanEntity = z.output<typeof PlanEntity>

/** A plan as operators see it. */
export const PlanSales = PlanEntity.extend({
  /** Running now. */
  active: z.int(),
  /** Ever begun. */
  sold: z.int(),
  /** Quota that was paid for it, less what was returned. */
  revenue: Quota,
  /** Quota of calls that it paid for. */
  used: Quota,
})
export type PlanSales = z.output<typeof PlanSales>

export const Subscription = z.object({
  id: z.int(),
  plan_id: z.int(),
  /** The plan's name, also where the plan is gone. */
  plan_name: z.string(),
  state: z.enum(subscriptionStates),
  source: z.enum(subscriptionSources),
  /** Unix seconds. */
  starts_at: z.int(),
  ends_at: z.int(),
  /** Quota that was paid for the present term. */
  price: Quota,
  /** It goes on for another term while the wallet pays for it. */
  renews: z.boolean(),
  preference: z.enum(planPreferences),
  /** The plan from the next term on; 0: the same. */
  next_plan_id: z.int(),
  /** The order that paid for it; empty: none. */
  trade_no: z.string(),
  /** What is left of its windows. */
  standings: z.array(WindowStanding),
})
export type Subscription = z.output<typeof Subscription>

export const UserSubscription = Subscription.extend({
  user_id: z.int(),
  username: z.string(),
  /** Quota that was paid for all terms, less what was returned. */
  paid: Quota,
  /** Quota of calls that it paid for. */
  used: Quota,
})
export type UserSubscription = z.output<typeof UserSubscription>

const Params = z.object({ id: idText(PlanId) })

/** What is left of the price of a term. */
const TermRest = z.object({
  /** The smaller of both. */
  rest: Quota,
  rest_by_time: Quota,
  /** By the limit of which least is unused, over all of the term; null where none of the plan’s lasts a day or longer. */
  rest_by_use: z.object({ limit: z.string(), rest: Quota }).nullable(),
})
export type TermRest = z.output<typeof TermRest>

export const plansOnSale = route({
  method: 'GET',
  path: '/api/user/plans',
  access: 'self.read',
  isViewable: true,
  summary: 'Plans that the caller can buy, cheapest first',
  data: z.array(PlanEntity),
})

export const ownSubscriptions = route({
  method: 'GET',
  path: '/api/user/subscriptions',
  access: 'self.read',
  isViewable: true,
  summary: 'The caller’s subscriptions, running ones first',
  data: z.array(Subscription),
})

export const buyPlan = route({
  method: 'POST',
  path: '/api/user/subscriptions',
  isCompound: true,
  access: 'self.write',
  audit: 'plan.buy',
  limit: 'search',
  summary: 'Begins a plan and pays for it from the wallet',
  body: z.object({ plan_id: PlanId, renews: z.boolean().default(false) }),
  data: Subscription,
})

export const upgradePrice = route({
  method: 'GET',
  path: '/api/user/subscriptions/{id}/upgrade',
  access: 'self.read',
  summary:
    'What changing a running subscription to another plan costs now: its price less the rest of the present term, by time or by use',
  params: Params,
  query: z.object({ plan_id: idText(PlanId) }),
  data: TermRest.extend({ price: Quota }),
})

export const upgradePlan = route({
  method: 'POST',
  path: '/api/user/subscriptions/{id}/upgrade',
  isCompound: true,
  access: 'self.write',
  audit: 'plan.upgrade',
  limit: 'search',
  summary: 'Changes a running subscription to a dearer plan now; the rest of the present term is counted in',
  params: Params,
  body: z.object({ plan_id: PlanId }),
  data: Subscription,
})

export const changeSubscription = route({
  method: 'PUT',
  path: '/api/user/subscriptions/{id}',
  access: 'self.write',
  audit: 'plan.change',
  summary: 'Whether a subscription renews itself, what pays first, and the plan from the next term on',
  params: Params,
  body: z.object({
    renews: z.boolean().optional(),
    preference: z.enum(planPreferences).optional(),
    /** 0: the same plan. */
    next_plan_id: z.number().int().min(0).optional(),
  }),
  data: Subscription,
})

export const listPlans = route({
  method: 'GET',
  path: '/api/plan',
  access: 'orders.read',
  summary: 'All plans with their sales and use',
  data: z.array(PlanSales),
})

export const createPlan = route({
  method: 'POST',
  path: '/api/plan',
  access: 'balances.write',
  audit: 'plan.create',
  summary: 'Creates a plan',
  body: PlanSettings,
  data: PlanEntity,
})

export const updatePlan = route({
  method: 'PUT',
  path: '/api/plan/{id}',
  access: 'balances.write',
  audit: 'plan.update',
  summary:
    'Changes a plan: running subscriptions have its new windows, models and groups at once, its price and length from their next term on',
  params: Params,
  body: PlanSettings,
  data: PlanEntity,
})

export const deletePlan = route({
  method: 'DELETE',
  path: '/api/plan/{id}',
  access: 'balances.write',
  audit: 'plan.delete',
  summary: 'Removes a plan that no user runs',
  params: Params,
})

export const listSubscriptions = route({
  method: 'GET',
  path: '/api/plan/subscriptions',
  access: 'orders.read',
  summary: 'Subscriptions of all users, newest first',
  query: PageQuery.extend({
    plan_id: idText(PlanId).optional(),
    user_id: idText(UserId).optional(),
    state: z.enum(subscriptionStates).optional(),
  }),
  data: listOf(UserSubscription),
})

export const givePlan = route({
  method: 'POST',
  path: '/api/plan/{id}/give',
  isCompound: true,
  access: 'balances.write',
  audit: 'plan.give',
  summary: 'Begins a plan for a user, for nothing',
  params: Params,
  body: z.object({ user_id: UserId }),
  data: UserSubscription,
})

export const subscriptionRest = route({
  method: 'GET',
  path: '/api/plan/subscriptions/{id}/rest',
  access: 'orders.read',
  summary: 'What is left of the price of the present term of a subscription, by time and by use of its limits',
  params: Params,
  data: TermRest,
})

export const endSubscription = route({
  method: 'POST',
  path: '/api/plan/subscriptions/{id}/end',
  isCompound: true,
  access: 'balances.write',
  audit: 'plan.end',
  summary: 'Ends a subscription now; with `returns_rest` what is left of the present term goes back, by time or by use',
  params: Params,
  body: z.object({ returns_rest: z.boolean().default(false) }),
  data: UserSubscription,
})
