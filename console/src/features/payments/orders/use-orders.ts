import { paymentRoutes, type RouteSent } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'

export type Order = paymentRoutes.OrderEntity

/** A page of orders that match the filters. */
export const useOrders = (query: RouteSent<typeof paymentRoutes.listOrders>['query']) =>
  useRead(paymentRoutes.listOrders, { query })
