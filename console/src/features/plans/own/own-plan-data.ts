import { accountRoutes, planRoutes } from '@tollgate/contract'

import type { Plan, Subscription } from '../../../domain/plans/plan-data'
import { useRead } from '../../../lib/api/query'

export const usePlansOnSale = () => useRead(planRoutes.plansOnSale)

export const useOwnSubscriptions = () => useRead(planRoutes.ownSubscriptions)

/** The balance; undefined while loading. */
export const useBalance = (): number | undefined => useRead(accountRoutes.getSelf, {}).data?.quota

export const isRunning = ({ state }: Subscription): boolean => state === 'active'

/** Whether the reader runs a plan as often as is allowed. */
export const isTaken = (plan: Plan, running: readonly Subscription[]): boolean =>
  running.filter(({ plan_id: id }) => id === plan.id).length >= plan.max_per_user
