import type { PaymentEvent } from '../provider'
import type { StripeCharge, StripeDisputes, StripeRefunds, StripeSession } from './stripe-api'
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

/** Returns what the state of a page means for its order; null: nothing yet, or the page does not belong to an order of ours. */
export function pageEvent(session: StripeSession, eventId: string): PaymentEvent | null {
  const kind = kindOf(session)
  const orderNumber = orderNumberOf(session.metadata)
  if (kind === null || orderNumber === null || session.client_reference_id !== orderNumber) return null
  const { payment_intent: intent } = session
  const paymentNumber = typeof intent === 'string' ? intent : intent?.id
  return {
    id: eventId,
    orderNumber,
    kind,
    merchant: modeOf(session),
    minor: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
    providerNumber: session.id,
    ...(paymentNumber !== undefined && { paymentNumber }),
  }
}

/** Returns the order that an object of Stripe belongs to; null: not one of ours, as the account may sell other things. */
function orderNumberOf(metadata: StripeSession['metadata']): string | null {
  const number = metadata?.['order'] ?? ''
  return /^USR\d+NO\w+$/.test(number) ? number : null
}

/**
 * A page is `complete` once it was filled in. Methods whose money arrives later are `unpaid` until it does; if it never does, their
 * payment asks for another method, which a complete page does not offer. https://docs.stripe.com/checkout/fulfillment#delayed-notification
 */
function kindOf({ status, payment_status: payment, payment_intent: intent, mode }: StripeSession) {
  if (mode !== 'payment') return null
  if (status === 'complete' && payment === 'paid') return 'paid'
  if (status === 'expired') return 'expired'
  const progress = typeof intent === 'object' ? intent?.status : undefined
  const isOver = progress === 'requires_payment_method' || progress === 'canceled'
  if (status !== 'complete' || payment !== 'unpaid') return null
  return isOver ? 'failed' : 'under-way'
}
