/** What the stand-in keeps, in the shapes that Stripe answers with. Tests may change them: then it lies. */
export interface StripeSessionObject {
  readonly id: string
  readonly object: 'checkout.session'
  readonly url: string
  readonly mode: string
  livemode: boolean
  readonly expires_at: number
  readonly success_url: string
  readonly cancel_url: string
  readonly customer_email: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Record<string, string>
  payment_intent: string | null
}

export interface StripeIntentObject {
  readonly id: string
  readonly object: 'payment_intent'
  status: 'processing' | 'requires_payment_method' | 'succeeded' | 'canceled'
  amount: number
  currency: string
  metadata: Record<string, string>
  latest_charge: string | null
}

export interface StripeChargeObject {
  readonly id: string
  readonly object: 'charge'
  livemode: boolean
  readonly payment_intent: string
  amount: number
  amount_refunded: number
  currency: string
  refunded: boolean
  disputed: boolean
  metadata: Record<string, string>
}

export type StripeDisputeStatus =
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'
  | 'prevented'
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'

export interface StripeDisputeObject {
  readonly id: string
  readonly object: 'dispute'
  readonly charge: string
  readonly payment_intent: string
  amount: number
  currency: string
  status: StripeDisputeStatus
}

export interface StripeRefundObject {
  readonly id: string
  readonly object: 'refund'
  readonly charge: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Record<string, string>
  status: 'succeeded' | 'failed'
  failure_reason: 'lost_or_stolen_card' | null
}

/** Returns an id such as Stripe makes: `cs_test_a1…`. */
export const stripeId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`
