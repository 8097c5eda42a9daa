import type { PaymentEvent } from '../provider'
import { orderNumberOf } from './page-event'
import type { StripeCharge, StripeDisputes, StripeRefunds } from './stripe-api'
import { modeOf } from './stripe-mode'

/** Returns what every event of a charge has in common; null: it belongs to no order of ours. */
function commonOf(charge: StripeCharge, id: string) {
  const orderNumber = orderNumberOf(charge.metadata)
  if (orderNumber === null) return null
  const { payment_intent: paymentNumber } = charge
  return {
    id,
    orderNumber,
    merchant: modeOf(charge),
    currency: charge.currency.toUpperCase(),
    ...(paymentNumber && { paymentNumber }),
  }
}

/**
 * Returns the combined state of all refunds of a charge, so that the order of their events does not matter. A refund that succeeded can
 * still fail, days later, when the payer's bank returns it; then it stays failed. https://docs.stripe.com/refunds#failed-refunds
 */
export function refundEvent(charge: StripeCharge, refunds: StripeRefunds, id: string): PaymentEvent | null {
  const common = commonOf(charge, id)
  if (!common) return null
  const failed = refunds.filter(({ status }) => status === 'failed' || status === 'canceled')
  return { ...common, kind: 'refunded', minor: sumOf(refunds), failedMinor: sumOf(failed) }
}

const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Returns the combined state of all disputes of a charge, so that the order of their events does not matter. Inquiries, whose states begin
 * with `warning`, move no money; one that grows into a dispute leaves those states.
 */
export function disputeEvent(charge: StripeCharge, disputes: StripeDisputes, id: string): PaymentEvent | null {
  const common = commonOf(charge, id)
  const [latest, ...others] = disputes.filter(({ status }) => !status.startsWith('warning'))
  if (!common || !latest) return null
  const taken = [latest, ...others].filter(({ status }) => !returned.includes(status))
  const isOpen = taken.some(({ status }) => status !== 'lost')
  return {
    ...common,
    kind: isOpen ? 'dispute-opened' : taken.length > 0 ? 'dispute-lost' : 'dispute-won',
    minor: sumOf(taken),
    disputeNumber: latest.id,
  }
}

/** States in which the money is with the merchant. https://docs.stripe.com/api/disputes/object */
const returned: readonly string[] = ['won', 'prevented']
