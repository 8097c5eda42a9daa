import type { paymentRoutes } from '@tollgate/contract'

import type { OrderRow } from '../../platform/store/tables'
import type { PaymentEvent } from './provider'

/** Returns an order with the facts of an event. What they move follows from them. */
export function factsAfter(order: OrderRow, event: PaymentEvent, now: number, operatorId = 0): OrderRow {
  const named = {
    ...order,
    provider_number: event.providerNumber ?? order.provider_number,
    payment_number: event.paymentNumber ?? order.payment_number,
  }
  switch (event.kind) {
    case 'under-way':
      return order.status === 'pending' ? { ...named, under_way_at: now } : order
    case 'paid':
      return { ...named, paid_at: now, problem: '', ask_at: null, completed_by: operatorId }
    case 'failed':
    case 'expired':
      return order.status === 'pending' ? { ...named, status: event.kind, closed_at: now, ask_at: null } : order
    case 'refunded':
      return { ...named, ...applyRefund(order, event) }
    default:
      return { ...named, ...applyDispute(order, event) }
  }
}

/**
 * The refunded and the failed amounts only grow, so the order of reports does not matter. A report also settles a refund whose response
 * was lost. A failed one marks the order: the money has to be returned in another way, or not at all.
 */
function applyRefund(order: OrderRow, event: PaymentEvent): Partial<OrderRow> {
  const { refunded_minor: known, refund_failed_minor: failedBefore } = order
  const reported = Math.max(order.refund_reported_minor, event.minor)
  const failed = Math.max(failedBefore, event.failedMinor ?? 0)
  const facts = { refund_reported_minor: reported, refund_failed_minor: failed }
  const left = Math.max(known - (failed - failedBefore), confirmedRefundOf({ ...order, ...facts }))
  const isOpen = order.problem === 'refund' && event.minor < known + failedBefore
  const problem = isOpen ? 'refund' : left < known ? 'refund_failed' : order.problem === 'refund' ? '' : order.problem
  return { ...facts, refunded_minor: left, problem }
}

/** What reached the payer, as the provider reported it. */
const confirmedRefundOf = ({
  minor,
  refund_reported_minor: reported,
  refund_failed_minor: failed,
}: Pick<OrderRow, 'minor' | 'refund_reported_minor' | 'refund_failed_minor'>): number =>
  Math.min(Math.max(reported - failed, 0), minor)

/** Returns the refunded amount of an order when this much of it was not paid back after all: never less than the provider reported. */
export const withoutRefund = (order: OrderRow, undone: number): number =>
  Math.max(confirmedRefundOf(order), order.refunded_minor - undone)

/** A dispute that has ended stays so, even if the report of its beginning arrives later. */
function applyDispute(order: OrderRow, event: PaymentEvent): Partial<OrderRow> {
  const number = event.disputeNumber ?? ''
  const hasEnded = order.dispute_number === number && (order.dispute === 'won' || order.dispute === 'lost')
  if (event.kind === 'dispute-opened' && hasEnded) return {}
  const minor = Math.min(event.minor, order.minor)
  if (event.kind === 'dispute-won') return { dispute: 'won', dispute_number: number, disputed_minor: 0 }
  const dispute = event.kind === 'dispute-lost' ? 'lost' : 'open'
  return { dispute, dispute_number: number, disputed_minor: minor }
}

type Money = Pick<OrderRow, 'minor' | 'refunded_minor' | 'disputed_minor'>
type Facts = Money & Pick<OrderRow, 'paid_at' | 'status' | 'dispute'>

/**
 * Returns how much of an order's quota is to be clawed back: the part of the money that was refunded or is disputed, rounded down; all of
 * it once nothing is left of the money. It follows from the facts alone, so reports may arrive in any order.
 */
export const quotaToTake = (order: Money & Pick<OrderRow, 'quota_credited'>): number =>
  amountToTake(order.quota_credited, order)

/** Returns the part of an amount that goes with the money of its order that was refunded or is disputed, rounded down. */
export function amountToTake(
  amount: number,
  { minor, refunded_minor: refunded, disputed_minor: disputed }: Money,
): number {
  const gone = Math.min(minor, refunded + disputed)
  return Number((BigInt(amount) * BigInt(gone)) / BigInt(minor))
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
