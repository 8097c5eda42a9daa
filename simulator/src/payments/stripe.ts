import { cutOff } from '../http/cut-off'
import { createHmac } from 'node:crypto'

import { StripeAccount } from './stripe-account'
import { createStripeResponder, type StripeCall } from './stripe-responses'
import { stripeId, type StripeDisputeStatus, type StripeSessionObject } from './stripe-objects'

/** A webhook, ready to be sent as often and as late as a test wants. */
export interface StripeWebhook {
  readonly id: string
  readonly type: string
  readonly body: string
  /** Value of the `Stripe-Signature` header. */
  readonly signature: string
}

interface StripeOptions {
  /** Unix seconds; default: the time of day. */
  readonly now?: () => number
}

interface DisputeOptions {
  /** Default: the whole charge. */
  readonly amount?: number
  /** Those with `warning` only ask; no money has moved. */
  readonly status?: StripeDisputeStatus
}

const apiSecret = 'sk_test_stand_in'
const webhookSecret = 'whsec_stand_in'

export type StripeStandIn = ReturnType<typeof startStripe>

/**
 * Starts a stand-in for Stripe's API and payment pages on loopback. What happens to a payment is said by calling `pay`, `refund` and the
 * like with the id of its page; each returns the webhook that Stripe would send, and sends nothing.
 */
export function startStripe({ now = () => Math.floor(Date.now() / 1000) }: StripeOptions = {}) {
  const calls: StripeCall[] = []
  const account = new StripeAccount({ now, pageUrl: (id) => `${url}/c/pay/${id}` })
  const respond = createStripeResponder({ account, now, apiSecret })

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname: path, searchParams: query } = new URL(request.url)
      const page = /^\/c\/pay\/(\w+)$/.exec(path)?.[1]
      const { method, headers } = request
      if (page !== undefined) return payPage(method, page, new URLSearchParams(await request.text()).get('how'))
      const call = { method, path, query, headers, body: await request.text() }
      calls.push(call)
      await standIn.beforeAnswer?.(call)
      if (standIn.isDown) return new Response('<html>down</html>', { status: 503 })
      const response = respond(call)
      return standIn.isCut ? cutOff(response.status) : response
    },
  })

  const url = `http://127.0.0.1:${server.port}`

  /** The page that a payer sees. */
  async function payPage(method: string, id: string, how: string | null): Promise<Response> {
    const session = account.sessions.get(id)
    if (session?.status !== 'open') return new Response('This page is no longer valid', { status: 404 })
    if (method === 'GET') return new Response(pageOf(session), { headers: { 'Content-Type': 'text/html' } })
    const reported = how === 'later' ? standIn.payLater(id) : standIn.pay(id)
    if (standIn.webhookUrl !== null) await deliver(reported, standIn.webhookUrl)
    return Response.redirect(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id), 303)
  }

  const sign = (body: string, { secret = webhookSecret, at = now() } = {}): string =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`

  function webhook(type: string, object: object, id = stripeId('evt')): StripeWebhook {
    const event = { id, object: 'event', api_version: '2025-03-31.basil', created: now(), livemode: false, type }
    const body = JSON.stringify({ ...event, data: { object } }, null, 2)
    return { id, type, body, signature: sign(body) }
  }

  /** Sends a webhook and resolves with the answer. */
  const deliver = ({ body, signature }: Pick<StripeWebhook, 'body' | 'signature'>, to: string): Promise<Response> =>
    fetch(to, { method: 'POST', headers: webhookHeaders(signature), body })

  const standIn = {
    url,
    apiSecret,
    webhookSecret,
    /** Where payment pages send their webhook; null: nowhere. */
    webhookUrl: null as string | null,
    calls: calls as readonly StripeCall[],
    /** While true, every call of the API fails. */
    isDown: false,
    /** While true, calls are done and their answers break off. */
    isCut: false,
    /** Runs before a call is answered: what happens in the meantime. */
    beforeAnswer: null as ((call: StripeCall) => Promise<void>) | null,
    sign,
    webhook,
    /** The payment page of an order. */
    pageOf(order: string): StripeSessionObject {
      const found = [...account.sessions.values()].find((session) => session.client_reference_id === order)
      return account.session(found?.id ?? order)
    },
    /** What Stripe says of a page, its payment and its charge; a test may change it, so that Stripe says something else. */
    session: (id: string) => account.session(id),
    intentOf: (id: string) => account.intentOf(id),
    chargeOf: (id: string) => account.chargeOf(id),
    refundOf: (id: string) => account.refundOf(id),
    /** The payer pays at once, by card. */
    pay(id: string): StripeWebhook {
      account.beginPayment(id)
      account.collect(id)
      return webhook('checkout.session.completed', account.session(id))
    },
    /** The payer completes the page with a method whose money comes later. */
    payLater(id: string): StripeWebhook {
      account.beginPayment(id)
      return webhook('checkout.session.completed', account.session(id))
    },
    /** The money of `payLater` arrives. */
    arrive(id: string): StripeWebhook {
      account.collect(id)
      return webhook('checkout.session.async_payment_succeeded', account.session(id))
    },
    /** The money of `payLater` never comes. */
    fail(id: string): StripeWebhook {
      account.intentOf(id).status = 'requires_payment_method'
      return webhook('checkout.session.async_payment_failed', account.session(id))
    },
    /** Says so of a page that was paid as well, as an event that comes late does. */
    expire(id: string): StripeWebhook {
      const session = account.session(id)
      if (session.status === 'open') session.status = 'expired'
      return webhook('checkout.session.expired', { ...session, status: 'expired' })
    },
    /** Refunds a part, as in Stripe's dashboard; default: all that is left. */
    refund(id: string, amount?: number): StripeWebhook {
      const charge = account.chargeOf(id)
      const refund = account.refund(charge, amount ?? charge.amount - charge.amount_refunded)
      if ('message' in refund) throw new Error(refund.message)
      return webhook('charge.refunded', charge)
    },
    /** The payer's bank returns the last refund, days later. */
    failRefund: (id: string, type = 'refund.failed'): StripeWebhook => webhook(type, account.failRefund(id)),
    dispute(id: string, { amount, status = 'needs_response' }: DisputeOptions = {}): StripeWebhook {
      return webhook('charge.dispute.created', account.openDispute(id, status, amount))
    },
    /** Moves the last dispute of a payment on, by default to its end. */
    moveDispute(id: string, status: StripeDisputeStatus, type = 'charge.dispute.closed'): StripeWebhook {
      const dispute = account.disputeOf(id)
      dispute.status = status
      return webhook(type, dispute)
    },
    deliver,
    stop: () => server.stop(true),
  }
  return standIn
}

/** The headers of a webhook as Stripe sends it. */
export const webhookHeaders = (signature: string): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  'Stripe-Signature': signature,
})

/** Orders and addresses come from the gateway under test, so nothing is escaped. */
const pageOf = ({
  amount_total: amount,
  currency,
  cancel_url: cancel,
  client_reference_id: order,
}: StripeSessionObject) =>
  `<!doctype html><html lang="en"><title>Pay</title><h1>Pay ${amount} ${currency.toUpperCase()}</h1><p>${order}</p>
<form method="post"><button>Pay</button><button name="how" value="later">Pay by bank debit</button></form><a href="${encodeURI(cancel)}">Back</a></html>`
