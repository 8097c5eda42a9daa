import type { PaymentEvent } from '../provider'
import { orderNumberOf } from './page-event'
import type { StripeCharge, StripeDisputes } from './stripe-api'
import { modeOf } from './stripe-mode'

/** What every event of a charge says; null: it is of no order of ours. */
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

/** Returns what was refunded of a charge so far. */
export function refundEvent(charge: StripeCharge, id: string): PaymentEvent | null {
  const common = commonOf(charge, id)
  return common && { ...common, kind: 'refunded', minor: charge.amount_refunded }
}

/**
 * Returns how all disputes of a charge stand together, so that the order of their events does not matter. Inquiries, whose states begin with
 * `warning`, move no money; one that grows into a dispute leaves those states.
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
    minor: taken.reduce((sum, { amount }) => sum + amount, 0),
    disputeNumber: latest.id,
  }
}

/** States in which the money is with the merchant. https://docs.stripe.com/api/disputes/object */
const returned: readonly string[] = ['won', 'prevented']
