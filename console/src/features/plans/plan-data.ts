import { planRoutes } from '@tollgate/contract'
import { useMemo } from 'react'

import { useRead } from '../../lib/api/query'
import type { PlanSearch } from './plan-search'

export type PlanSales = planRoutes.PlanSales

/** All plans with their sales, and those that match the filters. */
export function usePlans({ keyword = '', sale }: Pick<PlanSearch, 'keyword' | 'sale'>) {
  const plans = useRead(planRoutes.listPlans)
  const { data } = plans
  const found = useMemo(
    () =>
      data?.filter(
        ({ name, is_on_sale: isOnSale }) =>
          name.toLowerCase().includes(keyword.trim().toLowerCase()) &&
          (sale === undefined || isOnSale === (sale === 'on')),
      ),
    [data, keyword, sale],
  )
  return { plans, found }
}

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
