import type { OrderRow } from '../../store/tables'
import type { PaymentParts, Refund, RefundAnswer } from '../provider'
import { createRefund, readSession, StripeError } from './stripe-api'

/** Asks Stripe to pay a part of an order back. */
export async function refundPayment(order: OrderRow, refund: Refund, parts: PaymentParts): Promise<RefundAnswer> {
  try {
    const paymentIntent = order.payment_number || (await paymentOf(order, parts))
    if (paymentIntent === null) return { kind: 'refused', reason: 'no_payment' }
    const { status } = await createRefund(parts, {
      order: order.number,
      paymentIntent,
      minorUnits: refund.minor,
      key: refund.number,
    })
    // What is pending arrives in some days.
    return status === 'failed' || status === 'canceled' ? { kind: 'refused', reason: status } : { kind: 'refunded' }
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    parts.log.warn({ err: error, order: order.number }, 'Stripe did not refund an order')
    const isRefused = error.status !== null && error.status >= 400 && error.status < 500
    return isRefused ? { kind: 'refused', reason: error.code } : { kind: 'uncertain' }
  }
}

/** An order that an operator completed may not know its payment. */
async function paymentOf(order: OrderRow, parts: PaymentParts): Promise<string | null> {
  if (order.provider_number === '') return null
  const { payment_intent: intent } = await readSession(parts, order.provider_number)
  return (typeof intent === 'string' ? intent : intent?.id) ?? null
}
