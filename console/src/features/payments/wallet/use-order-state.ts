import { paymentRoutes } from '@tollgate/contract'
import { useEffect, useState } from 'react'

import { orderReads } from '../../../domain/order'
import { call } from '../../../lib/api/api'
import { useRead, useRefresh } from '../../../lib/api/query'
import { viewedUser } from '../../../lib/api/session'

/** Pauses between queries to the provider, in milliseconds: most report within seconds. */
const usualPauses = [0, 2_000, 4_000, 8_000, 16_000]

/**
 * Returns the order of this number, or the latest one. While it awaits its payment the provider is polled a few times with growing pauses;
 * `isAsking` says whether that continues.
 */
export function useOrderState(number: string | undefined, pauses: readonly number[] = usualPauses) {
  const refresh = useRefresh()
  const [attempts, setAttempts] = useState(0)
  const { data, error, refetch } = useRead(paymentRoutes.listOwnOrders, {
    query: { p: 1, page_size: 1, ...(number !== undefined && { keyword: number }) },
  })
  const order = data?.items.find(({ trade_no: own }) => number === undefined || own === number)
  const waits = order?.status === 'pending' ? order.trade_no : undefined
  const pause = viewedUser ? undefined : pauses[attempts]
  useEffect(() => {
    if (waits === undefined || pause === undefined) return undefined
    const timer = setTimeout(() => {
      // Even if the query fails, the provider may have reported the payment meanwhile: the order is read again in any case.
      void call(paymentRoutes.checkOrder, { body: { trade_no: waits } })
        .catch(() => undefined)
        .then(() => refresh(...orderReads))
        .finally(() => setAttempts(attempts + 1))
    }, pause)
    return () => clearTimeout(timer)
  }, [waits, pause, attempts, refresh])
  return {
    order,
    isMissing: data !== undefined && order === undefined,
    isAsking: waits !== undefined && pause !== undefined,
    error,
    retry: () => void refetch(),
  }
}
