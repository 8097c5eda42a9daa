import { paymentRoutes } from '@tollgate/contract'

import { rangeOf } from '../../../lib/text/range-of'
import type { OrderSearch } from './order-search'

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
