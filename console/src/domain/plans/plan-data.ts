import { accountRoutes, planRoutes, walletRoutes, windowRoutes } from '@tollgate/contract'

export type Plan = planRoutes.PlanEntity
export type Subscription = planRoutes.Subscription
export type UserSubscription = planRoutes.UserSubscription

/** Reads to refresh when a subscription begins, changes or ends. */
export const subscriptionReads = [
  planRoutes.ownSubscriptions,
  planRoutes.listSubscriptions,
  planRoutes.listPlans,
  accountRoutes.getSelf,
  walletRoutes.statement,
  windowRoutes.ownStandings,
] as const
