import { missingObject, type StripeAccount } from './stripe-account'
import { faultOfRefund, faultOfSession, type StripeFault } from './stripe-form'

/** A request as Stripe received it. */
export interface StripeCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: string
}

interface StripeApiDeps {
  readonly account: StripeAccount
  readonly now: () => number
  readonly apiSecret: string
}

/** Returns what answers calls of the API. It refuses what Stripe refuses. */
export function createStripeResponder({ account, now, apiSecret }: StripeApiDeps): (call: StripeCall) => Response {
  /** By idempotency key. */
  const remembered = new Map<string, { readonly request: string; readonly responseBody: string }>()

  function respondToPost({ path, headers, body }: StripeCall): Response {
    const form = new URLSearchParams(body)
    const key = headers.get('idempotency-key')
    const request = `${path}?${body}`
    const before = key === null ? undefined : remembered.get(key)
    if (before) return before.request === request ? json(before.responseBody) : faultResponse(reusedKey)
    const isSession = path === '/v1/checkout/sessions'
    const fault = isSession ? faultOfSession(form, now()) : faultOfRefund(form)
    if (fault) return faultResponse(fault)
    const created = isSession ? account.openSession(form) : account.refundByForm(form)
    if ('type' in created) return faultResponse(created)
    const responseBody = JSON.stringify(created)
    if (key !== null) remembered.set(key, { request, responseBody })
    return json(responseBody)
  }

  function respondToGet({ path, query }: StripeCall): Response {
    const listed = path === '/v1/disputes' ? account.disputes : path === '/v1/refunds' ? account.refunds : null
    if (listed) {
      const data = [...listed.values()]
        .filter((one) => one.charge === query.get('charge') || one.payment_intent === query.get('payment_intent'))
        .toReversed()
      return Response.json({ object: 'list', url: path, has_more: false, data })
    }
    const expanded = [...query].flatMap(([name, value]) => (/^expand\[\d*\]$/.test(name) ? [value] : []))
    const [kind, id = ''] = /^\/v1\/(?:checkout\/)?(\w+)\/(\w+)$/.exec(path)?.slice(1) ?? []
    const session = kind === 'sessions' ? account.sessions.get(id) : undefined
    if (session) {
      const intent = expanded.includes('payment_intent') ? account.intents.get(session.payment_intent ?? '') : undefined
      return Response.json({ ...session, ...(intent && { payment_intent: intent }) })
    }
    const charge = kind === 'charges' ? account.charges.get(id) : undefined
    return charge ? Response.json(charge) : faultResponse(missingObject('id'))
  }

  return (call) => {
    if (call.headers.get('authorization') !== `Bearer ${apiSecret}`) return faultResponse(badKey)
    if (!/^\d{4}-\d\d-\d\d(\.\w+)?$/.test(call.headers.get('stripe-version') ?? '')) return faultResponse(badVersion)
    if (call.method === 'GET') return respondToGet(call)
    const isKnown = ['/v1/checkout/sessions', '/v1/refunds'].includes(call.path)
    if (call.method !== 'POST' || !isKnown) return faultResponse(missingObject('path'))
    if (call.headers.get('content-type') !== 'application/x-www-form-urlencoded') return faultResponse(badType)
    return respondToPost(call)
  }
}

const faultResponse = ({ status, ...error }: StripeFault): Response => Response.json({ error }, { status })

const json = (text: string): Response => new Response(text, { headers: { 'Content-Type': 'application/json' } })

const refusal = (status: number, message: string): StripeFault => ({ status, type: 'invalid_request_error', message })
const badKey = refusal(401, 'Invalid API Key provided')
const badVersion = refusal(400, 'Invalid Stripe API version')
const badType = refusal(400, 'The body must be a form')
const reusedKey: StripeFault = {
  status: 400,
  type: 'idempotency_error',
  message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
}
