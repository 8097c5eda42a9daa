import { afterAll, beforeEach, describe, expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'
import { startStripe } from '@tollgate/simulator'

import { readConfig } from '../../../platform/config/config'
import {
  createRefund,
  createSession,
  readCharge,
  readDisputes,
  readRefunds,
  readSession,
  StripeError,
} from './stripe-api'

const at = 1_700_000_000
const stripe = startStripe({ now: () => at })
afterAll(() => stripe.stop())
beforeEach(() => {
  stripe.isDown = false
})

const partsWith = (secret: string) => ({
  fetch,
  config: readConfig({ STRIPE_URL: stripe.url }),
  catalog: { current: { options: { ...defaultOptions, StripeApiSecret: secret } } },
})
const parts = partsWith(stripe.apiSecret)

let orders = 0
const buildSessionRequest = (more: Partial<Parameters<typeof createSession>[1]> = {}) => {
  orders += 1
  return {
    order: `USR7NOAbC${orders}`,
    minorUnits: 1234,
    currency: 'USD',
    name: 'TUC10',
    email: 'ann@example.com',
    expiresAt: at + 3600,
    successUrl: 'https://gw.example/app/wallet/topup-success',
    cancelUrl: 'https://gw.example/app/wallet',
    ...more,
  }
}

const failureOf = (request: Promise<unknown>) =>
  request.then(
    () => null,
    (error: unknown) => (error instanceof StripeError ? { status: error.status, code: error.code } : error),
  )

test('the API opens a payment page with the order wherever Stripe will show it again', async () => {
  const order = buildSessionRequest()
  const session = await createSession(parts, order)
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 1234, currency: 'usd' })
  expect(session.url).toBe(`${stripe.url}/c/pay/${session.id}`)
  const sent = stripe.calls.at(-1)
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    mode: 'payment',
    client_reference_id: order.order,
    'metadata[order]': order.order,
    'payment_intent_data[metadata][order]': order.order,
    'payment_intent_data[description]': 'TUC10',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1234',
    'line_items[0][price_data][product_data][name]': 'TUC10',
    'adaptive_pricing[enabled]': 'false',
    'payment_method_options[card][request_three_d_secure]': 'any',
    expires_at: String(at + 3600),
    customer_email: 'ann@example.com',
    success_url: 'https://gw.example/app/wallet/topup-success',
    cancel_url: 'https://gw.example/app/wallet',
  })
  expect(sent?.path).toBe('/v1/checkout/sessions')
  const sentHeaders = ['authorization', 'content-type', 'idempotency-key', 'stripe-version']
  expect(sentHeaders.map((name) => sent?.headers.get(name))).toEqual([
    `Bearer ${stripe.apiSecret}`,
    'application/x-www-form-urlencoded',
    order.order,
    '2025-03-31.basil',
  ])
})

test('the API opens one page per order however often it is requested, and none for other terms', async () => {
  const order = buildSessionRequest({ email: null })
  const first = await createSession(parts, order)
  expect((await createSession(parts, order)).id).toBe(first.id)
  expect(await failureOf(createSession(parts, { ...order, minorUnits: 1 }))).toEqual({
    status: 400,
    code: 'idempotency_error',
  })
})

test.each([
  ['too small an amount', { minorUnits: 10 }, 'amount_too_small'],
  [
    'an amount with fractions where there are none',
    { currency: 'KWD', minorUnits: 5124 },
    'invalid_charge_amount_no_decimal_compatible',
  ],
  ['a page that is open for a minute', { expiresAt: at + 60 }, 'parameter_invalid'],
  ['an invalid address', { email: 'ann' }, 'parameter_invalid'],
])('the API refuses %s', async (_, more, code) =>
  expect(await failureOf(createSession(parts, buildSessionRequest(more)))).toEqual({ status: 400, code }),
)

test('the API reads a page with its payment, the charge, its refunds and its disputes', async () => {
  const { id } = await createSession(parts, buildSessionRequest({ order: 'USR7NOread' }))
  expect(await readSession(parts, id)).toMatchObject({ status: 'open', payment_intent: null })
  stripe.pay(id)
  expect(await readSession(parts, id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    client_reference_id: 'USR7NOread',
    payment_intent: { status: 'succeeded', metadata: { order: 'USR7NOread' } },
  })
  stripe.refund(id, 234)
  const charge = await readCharge(parts, stripe.chargeOf(id).id)
  expect(charge).toMatchObject({ amount: 1234, metadata: { order: 'USR7NOread' } })
  expect(await readRefunds(parts, charge.id)).toMatchObject([{ amount: 234, status: 'succeeded' }])
  expect(await readDisputes(parts, charge.id)).toEqual([])
  stripe.dispute(id, { amount: 1000 })
  stripe.dispute(id, { amount: 200, status: 'warning_needs_response' })
  expect(await readDisputes(parts, charge.id)).toMatchObject([
    { amount: 200, currency: 'usd', status: 'warning_needs_response' },
    { amount: 1000, currency: 'usd', status: 'needs_response' },
  ])
})

test('the API refunds once per key', async () => {
  const { id } = await createSession(parts, buildSessionRequest())
  stripe.pay(id)
  const refund = { order: 'USR7', paymentIntent: stripe.intentOf(id).id, minorUnits: 200, key: 'USR7:refund:200' }
  const created = await createRefund(parts, refund)
  expect(created).toMatchObject({ amount: 200, currency: 'usd', status: 'succeeded' })
  expect((await createRefund(parts, refund)).id).toBe(created.id)
  expect(stripe.chargeOf(id).amount_refunded).toBe(200)
  expect(await failureOf(createRefund(parts, { ...refund, minorUnits: 1035, key: 'another' }))).toEqual({
    status: 400,
    code: 'charge_already_refunded',
  })
})

describe('failures of the API', () => {
  test('calls fail without a key, with a wrong one, for what is unknown, and when Stripe is down', async () => {
    expect(await failureOf(readSession(partsWith(''), 'cs_1'))).toEqual({ status: null, code: 'no_api_key' })
    expect(await failureOf(readSession(partsWith('sk_test_other'), 'cs_1'))).toEqual({
      status: 401,
      code: 'invalid_request_error',
    })
    expect(await failureOf(readSession(parts, 'cs_unknown'))).toEqual({ status: 404, code: 'resource_missing' })
    stripe.isDown = true
    expect(await failureOf(readSession(parts, 'cs_1'))).toEqual({ status: 503, code: 'unknown' })
  })

  test('calls fail when Stripe is unreachable, and for responses of another shape', async () => {
    const offline = { ...parts, fetch: (() => Promise.reject(new Error('offline'))) as unknown as typeof fetch }
    expect(await failureOf(readSession(offline, 'cs_1'))).toEqual({ status: null, code: 'unreachable' })
    const lying = { ...parts, fetch: (() => Promise.resolve(Response.json({ id: '../x' }))) as unknown as typeof fetch }
    expect(await failureOf(readSession(lying, 'cs_1'))).toEqual({ status: 200, code: 'unexpected_answer' })
    const endless = {
      ...parts,
      fetch: (() => Promise.resolve(new Response('x'.repeat(2 ** 21)))) as unknown as typeof fetch,
    }
    expect(await failureOf(readSession(endless, 'cs_1'))).toEqual({ status: 200, code: 'unexpected_answer' })
  })

  test('an id that would lead to another path is not requested', () => {
    const before = stripe.calls.length
    expect(() => readSession(parts, '../refunds')).toThrow()
    expect(stripe.calls.length).toBe(before)
  })
})
