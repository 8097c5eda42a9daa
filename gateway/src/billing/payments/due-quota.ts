import type { paymentRoutes } from '@tollgate/contract'

import type { OrderRow } from '../../platform/store/tables'

type Facts = Pick<OrderRow, 'minor' | 'refunded_minor' | 'disputed_minor' | 'paid_at' | 'status' | 'dispute'>

/**
 * Returns how much of an order's quota is to be clawed back: the part of the money that was refunded or is disputed, rounded down; all of
 * it once nothing is left of the money. It follows from the facts alone, so reports may arrive in any order.
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

/** Returns the status that follows from the facts; an unpaid order keeps its own. */
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
