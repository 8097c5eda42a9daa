import type { PaymentEvent } from '../provider'
import type { StripeSession } from './stripe-api'
import { modeOf } from './stripe-mode'

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
export function orderNumberOf(metadata: StripeSession['metadata']): string | null {
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
