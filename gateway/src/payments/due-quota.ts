import type { paymentRoutes } from '@tollgate/contract'

import type { OrderRow } from '../store/tables'

type Facts = Pick<OrderRow, 'minor' | 'refunded_minor' | 'disputed_minor' | 'paid_at' | 'status' | 'dispute'>

/**
 * What of an order's quota is to be taken back: the part of the money that went back or is disputed, rounded down; all of it once nothing is
 * left of the money. It follows from the facts alone, so reports may come in any order.
 */
export function quotaToTake({
  minor,
  refunded_minor: refunded,
  disputed_minor: disputed,
  quota_credited: credited,
}: Facts & Pick<OrderRow, 'quota_credited'>): number {
  const gone = Math.min(minor, refunded + disputed)
  return Number((BigInt(credited) * BigInt(gone)) / BigInt(minor))
}

/** The status that follows from the facts; one that was not paid keeps its own. */
export function statusOfOrder({
  paid_at: paidAt,
  dispute,
  minor,
  refunded_minor: refunded,
  status,
}: Facts): paymentRoutes.OrderStatus {
  if (paidAt === 0) return status
  if (dispute === 'open' || dispute === 'lost') return 'disputed'
  return refunded >= minor ? 'refunded' : 'paid'
}
