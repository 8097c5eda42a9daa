import type { paymentCallbackRoutes, RouteData } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { callbackAddress } from '../../billing/payments/provider'
import { OutboundRefused, OutboundTimeout } from '../../platform/net/outbound/outbound'
import { randomToken } from '../../platform/random'

const timeoutMs = 10_000
const maxBytes = 300
const nonceForm = /^[\w-]{16,64}$/

/** Returns what only this installation can compute from a nonce. */
const proofOf = ({ seal }: Pick<Context, 'seal'>, nonce: string) => `tollgate ${seal.sign('payment-self-test', nonce)}`

/** Returns the response to a call of `testCallbackAddress`; null for every other. */
export function selfTestResponse({ ctx, request }: Pick<Call, 'ctx' | 'request'>): Response | null {
  const nonce = new URL(request.url).searchParams.get('self_test') ?? ''
  return nonceForm.test(nonce) ? plainText(proofOf(ctx, nonce)) : null
}

/** Calls our own callback address from outside, as a payment provider would, and reports who responded. */
export async function testCallbackAddress(
  ctx: Pick<Context, 'catalog' | 'outbound' | 'random' | 'seal'>,
): Promise<RouteData<typeof paymentCallbackRoutes.testCallbacks>> {
  const address = callbackAddress(ctx.catalog.current.options)
  if (address === '') return { outcome: 'no_address', url: '', status: 0, excerpt: '' }
  const url = `${address}/api/user/epay/notify`
  const nonce = randomToken(ctx.random, 24)
  const request = { method: 'GET', url: `${url}?self_test=${nonce}`, headers: {}, timeoutMs, maxBytes } as const
  try {
    const { status, body } = await ctx.outbound.send(request)
    const text = Buffer.from(body).toString('utf8')
    const isOurs = status === 200 && text === proofOf(ctx, nonce)
    return { outcome: isOurs ? 'ok' : 'elsewhere', url, status, excerpt: isOurs ? '' : text }
  } catch (error) {
    return { outcome: failureOf(error), url, status: 0, excerpt: '' }
  }
}

function failureOf(error: unknown) {
  if (error instanceof OutboundRefused) return 'not_public'
  return error instanceof OutboundTimeout ? 'timeout' : 'unreachable'
}

export const plainText = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
