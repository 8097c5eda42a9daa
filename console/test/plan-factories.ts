import { planRoutes, windowRoutes } from '@tollgate/contract'

import type { Plan, Subscription, UserSubscription } from '../src/domain/plans/plan-data'

type Quota = Subscription['price']

/** Quota units of a dollar. */
const dollar = 500_000

export const dollars = (amount: number) => (amount * dollar) as Quota

/** $20.00 a month, for 100 calls a day. */
export const aPlan = (fields: Partial<Plan> = {}): Plan => ({
  ...planRoutes.PlanSettings.parse({ name: 'Pro', price: dollars(20), length: 1, unit: 'month' }),
  windows: [
    {
      ...windowRoutes.WindowSettings.parse({ name: 'Daily', measure: 'requests', limit: 100, span: 'day' }),
      id: 5,
    },
  ],
  id: 3,
  ...fields,
})

export const aPlanSale = (fields: Partial<planRoutes.PlanSales> = {}): planRoutes.PlanSales => ({
  ...aPlan(),
  active: 2,
  sold: 7,
  revenue: dollars(140),
  used: dollars(90),
  ...fields,
})

/** A running one, of which 40 of 100 calls are left today. */
export const aSubscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: 11,
  plan_id: 3,
  plan_name: 'Pro',
  state: 'active',
  source: 'wallet',
  starts_at: 1_800_000_000,
  ends_at: 1_802_592_000,
  price: dollars(20),
  renews: false,
  preference: 'plan_first',
  next_plan_id: 0,
  trade_no: '',
  standings: [
    {
      id: 5,
      owner: 'plan',
      subject_id: 11,
      name: 'Daily',
      measure: 'requests',
      span: 'day',
      limit: 100,
      used: 60,
      remaining: 40,
      resets_at: 1_800_086_400,
    },
  ],
  ...fields,
})

export const aUserSubscription = (fields: Partial<UserSubscription> = {}): UserSubscription => ({
  ...aSubscription(),
  user_id: 7,
  username: 'mei',
  paid: dollars(20),
  used: dollars(4),
  ...fields,
})
