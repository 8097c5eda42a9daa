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

interface AnswerParts {
  readonly account: StripeAccount
  readonly now: () => number
  readonly apiSecret: string
}

/** Returns what answers calls of the API. It refuses what Stripe refuses. */
export function stripeAnswers({ account, now, apiSecret }: AnswerParts): (call: StripeCall) => Response {
  /** By idempotency key. */
  const remembered = new Map<string, { readonly request: string; readonly answer: string }>()

  function answerPost({ path, headers, body }: StripeCall): Response {
    const form = new URLSearchParams(body)
    const key = headers.get('idempotency-key')
    const request = `${path}?${body}`
    const before = key === null ? undefined : remembered.get(key)
    if (before) return before.request === request ? json(before.answer) : faultAnswer(reusedKey)
    const isSession = path === '/v1/checkout/sessions'
    const fault = isSession ? faultOfSession(form, now()) : faultOfRefund(form)
    if (fault) return faultAnswer(fault)
    const made = isSession ? account.openSession(form) : account.refundByForm(form)
    if ('type' in made) return faultAnswer(made)
    const answer = JSON.stringify(made)
    if (key !== null) remembered.set(key, { request, answer })
    return json(answer)
  }

  function answerGet({ path, query }: StripeCall): Response {
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
    return charge ? Response.json(charge) : faultAnswer(missingObject('id'))
  }

  return (call) => {
    if (call.headers.get('authorization') !== `Bearer ${apiSecret}`) return faultAnswer(badKey)
    if (!/^\d{4}-\d\d-\d\d(\.\w+)?$/.test(call.headers.get('stripe-version') ?? '')) return faultAnswer(badVersion)
    if (call.method === 'GET') return answerGet(call)
    const isKnown = ['/v1/checkout/sessions', '/v1/refunds'].includes(call.path)
    if (call.method !== 'POST' || !isKnown) return faultAnswer(missingObject('path'))
    if (call.headers.get('content-type') !== 'application/x-www-form-urlencoded') return faultAnswer(badType)
    return answerPost(call)
  }
}

const faultAnswer = ({ status, ...error }: StripeFault): Response => Response.json({ error }, { status })

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
