import { z } from 'zod'
import { createHmac, timingSafeEqual } from 'node:crypto'

import { parsedJson } from '../../../platform/text/parsed-json'
import type { CallbackReading, CallbackRequest, PaymentDeps, PaymentEvent } from '../provider'
import { disputeEvent, pageEvent, refundEvent } from './payment-events'
import { Id, readCharge, readDisputes, readRefunds, readSession, StripeError } from './stripe-api'
import { modeOf, stripeMode } from './stripe-mode'

/** https://docs.stripe.com/api/events/object: only the ids of the object are used, the rest is read anew. */
const Event = z.object({
  id: Id,
  type: z.string().max(200),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({ id: Id, charge: Id.nullish() }) }),
})
type Event = z.output<typeof Event>

type Reader = (event: Event, deps: PaymentDeps) => Promise<PaymentEvent | null>

const readCheckout: Reader = async ({ id, data }, deps) => pageEvent(await readSession(deps, data.object.id), id)

const readRefunded: Reader = ({ id, data }, deps) => refundsOf(data.object.id, id, deps)

const readRefund: Reader = async ({ id, data }, deps) =>
  data.object.charge ? refundsOf(data.object.charge, id, deps) : null

async function refundsOf(chargeId: string, eventId: string, deps: PaymentDeps): Promise<PaymentEvent | null> {
  const charge = await readCharge(deps, chargeId)
  return refundEvent(charge, await readRefunds(deps, charge.id), eventId)
}

const readDispute: Reader = async ({ id, data }, deps) => {
  if (!data.object.charge) return null
  const charge = await readCharge(deps, data.object.charge)
  return disputeEvent(charge, await readDisputes(deps, charge.id), id)
}

/** Events say that something happened. The details are queried, so that events may arrive late, twice and in any order. */
const readers: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': readCheckout,
  'checkout.session.async_payment_succeeded': readCheckout,
  'checkout.session.async_payment_failed': readCheckout,
  'checkout.session.expired': readCheckout,
  'charge.refunded': readRefunded,
  'charge.refund.updated': readRefund,
  'refund.updated': readRefund,
  'refund.failed': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.updated': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
  'charge.dispute.closed': readDispute,
}

/** Verifies a webhook and reads its subject anew. */
export async function readWebhook(request: CallbackRequest, deps: PaymentDeps): Promise<CallbackReading> {
  const { options } = deps.catalog.current
  const fault = signatureFault({
    header: request.headers.get('stripe-signature') ?? '',
    body: request.body,
    secret: options.StripeWebhookSecret,
    nowSeconds: deps.clock.seconds(),
  })
  if (fault) return { kind: 'refused', reason: `signature: ${fault}` }
  const event = Event.safeParse(parsedJson(new TextDecoder().decode(request.body))).data
  if (!event) return { kind: 'refused', reason: 'not an event' }
  const read = Object.hasOwn(readers, event.type) ? readers[event.type] : undefined
  if (!read) return { kind: 'ignored', reason: event.type }
  if (modeOf(event) !== stripeMode(options)) return { kind: 'refused', reason: 'an event of the other mode' }
  try {
    const payment = await read(event, deps)
    if (!payment) return { kind: 'ignored', reason: 'nothing to settle' }
    return { kind: 'event', event: payment, payload: payloadOf(event, payment), isQueryResult: true }
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return { kind: 'unavailable', reason: error.message }
  }
}

/** Without what Stripe knows about the payer. */
const payloadOf = ({ id, type, data }: Event, { kind, minor, failedMinor = 0, currency }: PaymentEvent): string =>
  JSON.stringify({
    id,
    type,
    object: data.object.id,
    kind,
    amount: minor,
    ...(failedMinor > 0 && { failed: failedMinor }),
    currency,
  })

/** Why a webhook is rejected. */
export type SignatureFault = 'no-secret' | 'malformed' | 'expired' | 'mismatch'

interface SignedWebhook {
  /** The `Stripe-Signature` header; empty: there was none. */
  readonly header: string
  /** Exactly as received: a body that was parsed and serialized again has another signature. */
  readonly body: string | Uint8Array
  /** Empty: all signatures are rejected. */
  readonly secret: string
  readonly nowSeconds: number
}

const toleranceSeconds = 300
/** Stripe sends one signature per valid secret, which is two while a secret is rolled. */
const maxSignatures = 16

/**
 * Returns why a webhook was not signed by Stripe with this secret in the last five minutes; null: it was.
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function signatureFault({ header, body, secret, nowSeconds }: SignedWebhook): SignatureFault | null {
  if (secret === '') return 'no-secret'
  const signed = readHeader(header)
  if (!signed) return 'malformed'
  const expected = createHmac('sha256', secret).update(`${signed.timestamp}.`).update(body).digest()
  let isSigned = false
  // All of them are compared, so that the time does not reveal which one was right.
  for (const signature of signed.signatures) isSigned = timingSafeEqual(signature, expected) || isSigned
  if (!isSigned) return 'mismatch'
  return Math.abs(nowSeconds - Number(signed.timestamp)) > toleranceSeconds ? 'expired' : null
}

/** Returns the timestamp and the signatures of the scheme `v1`; null for a header that Stripe does not send. */
function readHeader(header: string): { readonly timestamp: string; readonly signatures: readonly Buffer[] } | null {
  const entries = header.split(',').map((entry) => entry.trim().split('='))
  const valuesOf = (scheme: string) => entries.flatMap(([name, value = '']) => (name === scheme ? [value] : []))
  const [timestamp = '', ...others] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => /^[\da-f]{64}$/.test(value))
  if (!/^\d{1,12}$/.test(timestamp) || others.length > 0) return null
  if (signatures.length === 0 || signatures.length > maxSignatures) return null
  return { timestamp, signatures: signatures.map((value) => Buffer.from(value, 'hex')) }
}
