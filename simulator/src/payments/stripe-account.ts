import { valuesWithin, type StripeFault } from './stripe-form'
import {
  stripeId,
  type StripeChargeObject,
  type StripeDisputeObject,
  type StripeDisputeStatus,
  type StripeIntentObject,
  type StripeRefundObject,
  type StripeSessionObject,
} from './stripe-objects'

interface AccountParts {
  readonly now: () => number
  readonly pageUrl: (id: string) => string
}

export type StripeAccount = ReturnType<typeof createStripeAccount>

/** What a Stripe account holds, and what happens to payments. */
export function createStripeAccount({ now, pageUrl }: AccountParts) {
  const sessions = new Map<string, StripeSessionObject>()
  /** The metadata that a payment gets once it begins, by session. */
  const intentMetadata = new Map<string, Record<string, string>>()
  const intents = new Map<string, StripeIntentObject>()
  const charges = new Map<string, StripeChargeObject>()
  const disputes = new Map<string, StripeDisputeObject>()
  const refunds = new Map<string, StripeRefundObject>()

  const session = (id: string) => stored(sessions, id)
  const intentOf = (id: string) => stored(intents, session(id).payment_intent)
  const chargeOf = (id: string) => stored(charges, intentOf(id).latest_charge)

  function beginPayment(id: string): void {
    const page = session(id)
    if (page.status !== 'open') throw new Error(`The payment page is ${page.status}`)
    const { amount_total: amount, currency } = page
    const intent: StripeIntentObject = {
      id: stripeId('pi'),
      object: 'payment_intent',
      status: 'processing',
      amount,
      currency,
      metadata: intentMetadata.get(id) ?? {},
      latest_charge: null,
    }
    intents.set(intent.id, intent)
    page.payment_intent = intent.id
    page.status = 'complete'
  }

  function collect(id: string): void {
    const intent = intentOf(id)
    const { amount, currency, metadata } = intent
    const charge: StripeChargeObject = {
      id: stripeId('ch'),
      object: 'charge',
      livemode: false,
      payment_intent: intent.id,
      amount,
      amount_refunded: 0,
      currency,
      refunded: false,
      disputed: false,
      metadata: { ...metadata },
    }
    charges.set(charge.id, charge)
    intent.latest_charge = charge.id
    intent.status = 'succeeded'
    session(id).payment_status = 'paid'
  }

  return {
    sessions: sessions as ReadonlyMap<string, StripeSessionObject>,
    intents: intents as ReadonlyMap<string, StripeIntentObject>,
    charges: charges as ReadonlyMap<string, StripeChargeObject>,
    disputes: disputes as ReadonlyMap<string, StripeDisputeObject>,
    refunds: refunds as ReadonlyMap<string, StripeRefundObject>,
    session,
    intentOf,
    chargeOf,
    beginPayment,
    collect,
    openSession(form: URLSearchParams): StripeSessionObject {
      const id = stripeId('cs_test')
      const unitAmount = Number(form.get('line_items[0][price_data][unit_amount]'))
      const page: StripeSessionObject = {
        id,
        object: 'checkout.session',
        url: pageUrl(id),
        mode: form.get('mode') ?? '',
        livemode: false,
        expires_at: Number(form.get('expires_at') ?? now() + 86_400),
        success_url: form.get('success_url') ?? '',
        cancel_url: form.get('cancel_url') ?? '',
        customer_email: form.get('customer_email'),
        status: 'open',
        payment_status: 'unpaid',
        amount_total: unitAmount * Number(form.get('line_items[0][quantity]')),
        currency: form.get('line_items[0][price_data][currency]') ?? '',
        client_reference_id: form.get('client_reference_id'),
        metadata: valuesWithin(form, 'metadata'),
        payment_intent: null,
      }
      sessions.set(id, page)
      intentMetadata.set(id, valuesWithin(form, 'payment_intent_data[metadata]'))
      return page
    },
    refund(charge: StripeChargeObject, amount: number, metadata = {}): StripeRefundObject | StripeFault {
      if (amount > charge.amount - charge.amount_refunded) {
        const message = 'Refund amount is greater than unrefunded amount on charge'
        return { status: 400, type: 'invalid_request_error', code: 'charge_already_refunded', message }
      }
      charge.amount_refunded += amount
      charge.refunded = charge.amount_refunded === charge.amount
      const refund: StripeRefundObject = {
        id: stripeId('re'),
        object: 'refund',
        charge: charge.id,
        payment_intent: charge.payment_intent,
        amount,
        currency: charge.currency,
        metadata,
        status: 'succeeded',
        failure_reason: null,
      }
      refunds.set(refund.id, refund)
      return refund
    },
    /** The last refund of a payment. */
    refundOf(id: string): StripeRefundObject {
      const charge = chargeOf(id)
      return stored(refunds, [...refunds.values()].findLast((made) => made.charge === charge.id)?.id)
    },
    /** The payer's bank returns the last refund of a payment. */
    failRefund(id: string): StripeRefundObject {
      const charge = chargeOf(id)
      const refund = this.refundOf(id)
      refund.status = 'failed'
      refund.failure_reason = 'lost_or_stolen_card'
      charge.amount_refunded -= refund.amount
      charge.refunded = false
      return refund
    },
    refundByForm(form: URLSearchParams): StripeRefundObject | StripeFault {
      const charge = charges.get(intents.get(form.get('payment_intent') ?? '')?.latest_charge ?? '')
      if (!charge) return missingObject('payment_intent')
      const amount = Number(form.get('amount') ?? charge.amount - charge.amount_refunded)
      return this.refund(charge, amount, valuesWithin(form, 'metadata'))
    },
    openDispute(id: string, status: StripeDisputeStatus, amount?: number): StripeDisputeObject {
      const charge = chargeOf(id)
      charge.disputed = true
      const dispute: StripeDisputeObject = {
        id: stripeId('du'),
        object: 'dispute',
        charge: charge.id,
        payment_intent: charge.payment_intent,
        amount: amount ?? charge.amount,
        currency: charge.currency,
        status,
      }
      disputes.set(dispute.id, dispute)
      return dispute
    },
    /** The last dispute of a payment. */
    disputeOf(id: string): StripeDisputeObject {
      const charge = chargeOf(id)
      const found = [...disputes.values()].findLast((dispute) => dispute.charge === charge.id)
      return stored(disputes, found?.id)
    },
  }
}

export const missingObject = (param: string): StripeFault => ({
  status: 404,
  type: 'invalid_request_error',
  code: 'resource_missing',
  message: 'No such object',
  param,
})

function stored<Value>(values: ReadonlyMap<string, Value>, id: string | null | undefined): Value {
  const value = values.get(id ?? '')
  if (!value) throw new Error(`The stand-in for Stripe knows no ${id}`)
  return value
}
