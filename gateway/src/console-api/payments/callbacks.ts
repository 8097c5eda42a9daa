import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { readBytes } from '../../http/request/read-body'
import type { CallbackRequest } from '../../billing/payments/provider'
import { providerOf } from '../../billing/payments/providers'
import { receiveCallback, type Received } from '../../billing/payments/receive-callback'
import { auditOrder } from './change-order'
import { plainText, selfTestResponse } from './self-test'

/** Read before the signature is checked, so small; notifications have a few hundred bytes, events of Stripe a few thousand. */
const maxCallbackBytes = 64 * 1024

/** Settles a provider's callback; resolves after the commit. */
async function callbackOf(providerId: string, call: Call<'guest'>): Promise<Received> {
  const provider = providerOf(providerId)
  if (!provider) return { isAccepted: false, reason: 'there is no such provider' }
  const received = await receiveCallback(call.ctx, provider, await requestOf(call), call.requestId)
  const { applied } = received
  // A callback without news leaves no row: providers repeat themselves.
  if (applied?.after && applied.outcome !== 'repeated') {
    call.audit.read('order.settle')
    auditOrder(call, applied)
  }
  return received
}

async function requestOf({ request, ctx }: Call<'guest'>): Promise<CallbackRequest> {
  const { searchParams } = new URL(request.url)
  const body = await readBytes(request, maxCallbackBytes, ctx)
  return { method: request.method, query: searchParams, headers: request.headers, body }
}

/** Returns the response that Epay services wait for; they repeat a notification until they read `success`. */
export async function epayNotification(call: Call<'guest'>): Promise<Response> {
  const tested = selfTestResponse(call)
  if (tested) return tested
  const { isAccepted } = await callbackOf('epay', call).catch((error: unknown) => {
    if (!(error instanceof AppError))
      call.ctx.log.error({ err: error, requestId: call.requestId }, 'a payment callback failed')
    return { isAccepted: false }
  })
  return plainText(isAccepted ? 'success' : 'fail')
}

/**
 * Returns the response that Stripe waits for: it repeats an event for days until the status is 2xx. What will never be settled, such as an
 * order that another gateway of the same account created, is accepted.
 */
export async function stripeEvent(call: Call<'guest'>): Promise<Response> {
  const { isAccepted, reason, applied } = await callbackOf('stripe', call)
  return plainText(reason, isAccepted || applied ? 200 : 400)
}

/** The payer comes back, which proves nothing: only the page that waits for the notification is shown. */
export function backFromPayment({ request }: Call<'guest'>): Promise<Response> {
  const number = new URL(request.url).searchParams.get('out_trade_no') ?? ''
  const query = /^[A-Za-z0-9]{1,64}$/.test(number) ? `?trade_no=${number}` : ''
  return Promise.resolve(
    new Response(null, { status: 303, headers: { Location: `/app/wallet/topup-success${query}` } }),
  )
}
