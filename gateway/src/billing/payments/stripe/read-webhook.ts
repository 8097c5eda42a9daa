import { z } from 'zod'

import { parsedJson } from '../../../platform/text/parsed-json'
import type { CallbackReading, CallbackRequest, PaymentEvent, PaymentDeps } from '../provider'
import { disputeEvent, refundEvent } from './charge-event'
import { pageEvent } from './page-event'
import { Id, readCharge, readDisputes, readRefunds, readSession, StripeError } from './stripe-api'
import { modeOf, stripeMode } from './stripe-mode'
import { signatureFault } from './webhook-signature'

/** https://docs.stripe.com/api/events/object: only the ids of the object are used, the rest is read anew. */
const Event = z.object({
  id: Id,
  type: z.string().max(200),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({ id: Id, charge: Id.nullish() }) }),
})
type Event = z.output<typeof Event>

type Reader = (event: Event, deps: PaymentDeps) => Promise<PaymentEvent | null>

const readPage: Reader = async ({ id, data }, deps) => pageEvent(await readSession(deps, data.object.id), id)

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
  'checkout.session.completed': readPage,
  'checkout.session.async_payment_succeeded': readPage,
  'checkout.session.async_payment_failed': readPage,
  'checkout.session.expired': readPage,
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
