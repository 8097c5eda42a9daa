import type { OrderRow } from '../../../platform/store/tables'
import type { PaymentDeps, Refund, RefundResult } from '../provider'
import { createRefund, readRefundsOf, readSession, StripeError, type StripeRefund } from './stripe-api'

/** Requests a refund of a part of an order from Stripe. */
export async function refundPayment(order: OrderRow, refund: Refund, deps: PaymentDeps): Promise<RefundResult> {
  const logFailure = (error: unknown): StripeError => {
    if (!(error instanceof StripeError)) throw error
    deps.log.warn({ err: error, order: order.number }, 'Stripe did not refund an order')
    return error
  }
  const payment = await paymentOf(order, deps).catch(logFailure)
  if (payment instanceof StripeError)
    return refund.isRepeated ? { kind: 'uncertain' } : { kind: 'refused', reason: payment.code }
  if (payment === null) return { kind: 'refused', reason: 'no_payment' }
  const refundRequest = { order: order.number, paymentIntent: payment, minorUnits: refund.minor, key: refund.number }
  // Stripe forgets keys after a day, so it is asked first.
  const known = refund.isRepeated ? await knownRefund(deps, payment, refund.number).catch(logFailure) : undefined
  if (known instanceof StripeError) return { kind: 'uncertain' }
  const created = known ?? (await createRefund(deps, refundRequest).catch(logFailure))
  if (created instanceof StripeError)
    return isRefusal(created) ? { kind: 'refused', reason: created.code } : { kind: 'uncertain' }
  // A pending refund arrives in some days.
  const { status } = created
  return status === 'failed' || status === 'canceled' ? { kind: 'refused', reason: status } : { kind: 'refunded' }
}

const knownRefund = async (deps: PaymentDeps, payment: string, number: string): Promise<StripeRefund | undefined> =>
  (await readRefundsOf(deps, payment)).find(({ metadata }) => metadata?.['refund'] === number)

/**
 * Nothing was done. 409: the same refund is in progress in another request. The key of a refund that an earlier release requested is known with
 * other parameters.
 */
const isRefusal = ({ status, code }: StripeError): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 409 && code !== 'idempotency_error'

/** Resolves with the payment of an order; null: there is none. An order that an operator completed does not have it. */
async function paymentOf(order: OrderRow, deps: PaymentDeps): Promise<string | null> {
  if (order.payment_number !== '') return order.payment_number
  if (order.provider_number === '') return null
  const { payment_intent: intent } = await readSession(deps, order.provider_number)
  return (typeof intent === 'string' ? intent : intent?.id) ?? null
}
