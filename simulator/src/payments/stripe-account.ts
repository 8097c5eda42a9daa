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

interface AccountOptions {
  readonly now: () => number
  readonly pageUrl: (id: string) => string
}

/** What a Stripe account holds, and what happens to payments. */
export class StripeAccount {
  readonly #sessions = new Map<string, StripeSessionObject>()
  /** The metadata that a payment gets once it begins, by session. */
  readonly #intentMetadata = new Map<string, Record<string, string>>()
  readonly #intents = new Map<string, StripeIntentObject>()
  readonly #charges = new Map<string, StripeChargeObject>()
  readonly #disputes = new Map<string, StripeDisputeObject>()
  readonly #refunds = new Map<string, StripeRefundObject>()

  constructor(private readonly options: AccountOptions) {}

  get sessions(): ReadonlyMap<string, StripeSessionObject> {
    return this.#sessions
  }
  get intents(): ReadonlyMap<string, StripeIntentObject> {
    return this.#intents
  }
  get charges(): ReadonlyMap<string, StripeChargeObject> {
    return this.#charges
  }
  get disputes(): ReadonlyMap<string, StripeDisputeObject> {
    return this.#disputes
  }
  get refunds(): ReadonlyMap<string, StripeRefundObject> {
    return this.#refunds
  }

  session(id: string): StripeSessionObject {
    return requireStored(this.#sessions, id)
  }

  intentOf(id: string): StripeIntentObject {
    return requireStored(this.#intents, this.session(id).payment_intent)
  }

  chargeOf(id: string): StripeChargeObject {
    return requireStored(this.#charges, this.intentOf(id).latest_charge)
  }

  openSession(form: URLSearchParams): StripeSessionObject {
    const id = stripeId('cs_test')
    const unitAmount = Number(form.get('line_items[0][price_data][unit_amount]'))
    const page: StripeSessionObject = {
      id,
      object: 'checkout.session',
      url: this.options.pageUrl(id),
      mode: form.get('mode') ?? '',
      livemode: false,
      expires_at: Number(form.get('expires_at') ?? this.options.now() + 86_400),
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
    this.#sessions.set(id, page)
    this.#intentMetadata.set(id, valuesWithin(form, 'payment_intent_data[metadata]'))
    return page
  }

  beginPayment(id: string): void {
    const page = this.session(id)
    if (page.status !== 'open') throw new Error(`The payment page is ${page.status}`)
    const { amount_total: amount, currency } = page
    const intent: StripeIntentObject = {
      id: stripeId('pi'),
      object: 'payment_intent',
      status: 'processing',
      amount,
      currency,
      metadata: this.#intentMetadata.get(id) ?? {},
      latest_charge: null,
    }
    this.#intents.set(intent.id, intent)
    page.payment_intent = intent.id
    page.status = 'complete'
  }

  collect(id: string): void {
    const intent = this.intentOf(id)
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
    this.#charges.set(charge.id, charge)
    intent.latest_charge = charge.id
    intent.status = 'succeeded'
    this.session(id).payment_status = 'paid'
  }

  refundByForm(form: URLSearchParams): StripeRefundObject | StripeFault {
    const charge = this.#charges.get(this.#intents.get(form.get('payment_intent') ?? '')?.latest_charge ?? '')
    if (!charge) return missingObject('payment_intent')
    const amount = Number(form.get('amount') ?? charge.amount - charge.amount_refunded)
    return this.refund(charge, amount, valuesWithin(form, 'metadata'))
  }

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
    this.#refunds.set(refund.id, refund)
    return refund
  }

  /** The last refund of a payment. */
  refundOf(id: string): StripeRefundObject {
    const charge = this.chargeOf(id)
    return requireStored(
      this.#refunds,
      [...this.#refunds.values()].findLast((refund) => refund.charge === charge.id)?.id,
    )
  }

  /** The payer's bank returns the last refund of a payment. */
  failRefund(id: string): StripeRefundObject {
    const charge = this.chargeOf(id)
    const refund = this.refundOf(id)
    refund.status = 'failed'
    refund.failure_reason = 'lost_or_stolen_card'
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    return refund
  }

  openDispute(id: string, status: StripeDisputeStatus, amount?: number): StripeDisputeObject {
    const charge = this.chargeOf(id)
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
    this.#disputes.set(dispute.id, dispute)
    return dispute
  }

  /** The last dispute of a payment. */
  disputeOf(id: string): StripeDisputeObject {
    const charge = this.chargeOf(id)
    const found = [...this.#disputes.values()].findLast((dispute) => dispute.charge === charge.id)
    return requireStored(this.#disputes, found?.id)
  }
}

export const missingObject = (param: string): StripeFault => ({
  status: 404,
  type: 'invalid_request_error',
  code: 'resource_missing',
  message: 'No such object',
  param,
})

function requireStored<Value>(values: ReadonlyMap<string, Value>, id: string | null | undefined): Value {
  const value = values.get(id ?? '')
  if (!value) throw new Error(`The stand-in for Stripe knows no ${id}`)
  return value
}
