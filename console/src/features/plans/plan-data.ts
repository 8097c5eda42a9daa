import { planRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'

export type PlanSales = planRoutes.PlanSales

/** All plans with their sales. */
export const usePlans = () => useRead(planRoutes.listPlans)

/** Reads to refresh when plans change. */
export const planReads = [planRoutes.listPlans, planRoutes.plansOnSale, planRoutes.ownSubscriptions] as const

/** Returns a plan as it is sent. */
export const settingsOf = ({
  id: _id,
  active: _active,
  sold: _sold,
  revenue: _revenue,
  used: _used,
  ...settings
}: PlanSales): planRoutes.PlanSettings => settings
