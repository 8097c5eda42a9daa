import { paymentRoutes, type RouteSent } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { rangeOf } from '../../../lib/text/range-of'
import type { OrderSearch } from './order-search'

export type Order = paymentRoutes.OrderEntity

/** A page of orders that match the filters. */
export const useOrders = (query: RouteSent<typeof paymentRoutes.listOrders>['query']) =>
  useRead(paymentRoutes.listOrders, { query })

/** Returns the calls' filters from the address. */
export const filterOf = ({ keyword, status, provider, problem, range, from, to }: OrderSearch, nowSeconds: number) => ({
  keyword,
  status: paymentRoutes.orderStatuses.find((known) => known === status),
  provider,
  has_problem: problem === undefined ? undefined : ('true' as const),
  ...rangeOf({ range, from, to }, nowSeconds),
})

export const noFilters: Partial<OrderSearch> = {
  keyword: undefined,
  status: undefined,
  provider: undefined,
  problem: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}
