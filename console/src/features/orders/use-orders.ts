import { paymentRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import type { OrderSearch } from './order-search'

export type Order = paymentRoutes.OrderEntity

interface OrderQuery extends Pick<OrderSearch, 'keyword' | 'status' | 'provider' | 'problem'> {
  readonly page: number
  readonly size: number
}

/** A page of orders that the filters find. */
export const useOrders = ({ keyword, status, provider, problem, page, size }: OrderQuery) =>
  useRead(paymentRoutes.listOrders, {
    query: {
      p: page,
      page_size: size,
      keyword,
      status: paymentRoutes.orderStatuses.find((known) => known === status),
      provider,
      has_problem: problem === undefined ? undefined : 'true',
    },
  })
