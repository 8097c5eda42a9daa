import { afterAll, beforeAll, expect, test } from 'bun:test'

import { aStripeOrder, aStripeSite, type StripeSite } from '../../../../test/stripe-site'
import type { RefundResult } from '../provider'
import { stripe } from './stripe'

let world: StripeSite
beforeAll(async () => {
  world = await aStripeSite('sqlite')
})
afterAll(() => world[Symbol.asyncDispose]())

/** A paid order, with a function that requests its refund from Stripe. */
async function aPaidOrder() {
  const { number, page } = await aStripeOrder(world, await world.aUser())
  const paid = world.stripe.pay(page)
  const report = () => world.report(paid)
  const refund = async (minor: number, count = 1, isRepeated = false) =>
    stripe.refund(await world.rowOf(number), { number: `${number}R${count}`, minor, isRepeated }, world.ctx)
  const readRefundedAmount = () => world.stripe.chargeOf(page).amount_refunded
  return { number, page, report, refund, readRefundedAmount }
}

test('the same refund is made once, and another one in addition', async () => {
  const { report, refund, readRefundedAmount, number } = await aPaidOrder()
  await report()
  expect(await refund(300)).toEqual({ kind: 'refunded' })
  expect(await refund(300)).toEqual({ kind: 'refunded' })
  expect(readRefundedAmount()).toBe(300)
  expect(await refund(200, 2)).toEqual({ kind: 'refunded' })
  expect(readRefundedAmount()).toBe(500)
  const { body, headers } = world.stripe.calls.at(-1) ?? {}
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    payment_intent: (await world.rowOf(number)).payment_number,
    amount: '200',
    reason: 'requested_by_customer',
    'metadata[order]': number,
    'metadata[refund]': `${number}R2`,
  })
  expect(headers?.get('idempotency-key')).toBe(`${number}R2`)
})

test('a repeated refund is found among those of the payment, and made under its key where it is not', async () => {
  const { report, refund, readRefundedAmount } = await aPaidOrder()
  await report()
  const keys = () => world.stripe.calls.filter(({ method }) => method === 'POST').length
  expect(await refund(300)).toEqual({ kind: 'refunded' })
  const before = keys()
  expect(await refund(300, 1, true)).toEqual({ kind: 'refunded' })
  expect([keys(), readRefundedAmount()]).toEqual([before, 300])
  expect(await refund(200, 2, true)).toEqual({ kind: 'refunded' })
  expect([keys(), readRefundedAmount()]).toEqual([before + 1, 500])
})

test('a repeated refund stays uncertain where Stripe cannot say, or knows the key with other parameters', async () => {
  const { report, refund, readRefundedAmount } = await aPaidOrder()
  await report()
  expect(await refund(300)).toEqual({ kind: 'refunded' })
  world.stripe.isDown = true
  expect(await refund(300, 1, true)).toEqual({ kind: 'uncertain' })
  world.stripe.isDown = false
  expect(await refund(301)).toEqual({ kind: 'uncertain' })
  expect(readRefundedAmount()).toBe(300)
})

test('more than was paid is refused with Stripe’s reason', async () => {
  const { report, refund } = await aPaidOrder()
  await report()
  expect(await refund(1001)).toEqual({ kind: 'refused', reason: 'charge_already_refunded' })
})

test('an order whose payment was never reported is refunded through its page', async () => {
  const { refund, readRefundedAmount } = await aPaidOrder()
  expect(await refund(1000)).toEqual({ kind: 'refunded' })
  expect(readRefundedAmount()).toBe(1000)
})

test('a refund through a page that cannot be read was not made', async () => {
  const { refund, readRefundedAmount } = await aPaidOrder()
  world.stripe.isDown = true
  expect(await refund(1000)).toEqual({ kind: 'refused', reason: 'unknown' })
  world.stripe.isDown = false
  expect(readRefundedAmount()).toBe(0)
})

test.each<[number, RefundResult]>([
  [409, { kind: 'uncertain' }],
  [402, { kind: 'refused', reason: 'balance_insufficient' }],
])('a refund that Stripe answers with %d is %p', async (status, expected) => {
  const { report, number } = await aPaidOrder()
  await report()
  const respond = () =>
    Promise.resolve(Response.json({ error: { type: 'x', code: 'balance_insufficient' } }, { status }))
  const ctx = { ...world.ctx, fetch: Object.assign(respond, { preconnect: fetch.preconnect }) }
  expect(
    await stripe.refund(await world.rowOf(number), { number: `${number}R1`, minor: 100, isRepeated: false }, ctx),
  ).toEqual(expected)
})

test('an order that was never paid has nothing to refund', async () => {
  const { number } = await aStripeOrder(world, await world.aUser())
  const refund = { number: `${number}R1`, minor: 100, isRepeated: false }
  const order = await world.rowOf(number)
  expect(await stripe.refund(order, refund, world.ctx)).toEqual({ kind: 'refused', reason: 'no_payment' })
  const pageless = { ...order, provider_number: '' }
  expect(await stripe.refund(pageless, refund, world.ctx)).toEqual({ kind: 'refused', reason: 'no_payment' })
})

test('a refund is uncertain while Stripe does not respond', async () => {
  const { report, refund } = await aPaidOrder()
  await report()
  world.stripe.isDown = true
  expect(await refund(100)).toEqual({ kind: 'uncertain' })
  world.stripe.isDown = false
  await world.set({ StripeApiSecret: 'sk_test_revoked' })
  expect(await refund(100)).toEqual({ kind: 'refused', reason: 'invalid_request_error' })
  await world.set({ StripeApiSecret: world.stripe.apiSecret })
})
