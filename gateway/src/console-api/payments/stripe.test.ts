import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { ApiError, paymentRoutes } from '@tollgate/contract'
import { webhookHeaders, type StripeWebhook } from '@tollgate/simulator'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { faultyDatabase } from '../../../test/faulty-database'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { aStripeOrder, aStripeSite, type StripeSite } from '../../../test/stripe-site'
import { paymentHandlers } from './payments'

setDefaultTimeout(120_000)

describe.each(kinds)('a payment through Stripe (%s)', (kind) => {
  const once = onceOf(kind)

  let world: StripeSite
  beforeAll(async () => {
    world = await aStripeSite(kind)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const check = (user: Awaited<ReturnType<StripeSite['aUser']>>, number: string) =>
    user.client.call(paymentRoutes.checkOrder, { body: { trade_no: number } })

  test('a payment is credited once by a hundred simultaneous events, half of them identical', async () => {
    const user = await world.aUser()
    const { page } = await aStripeOrder(world, user)
    const paid = world.stripe.pay(page)
    const session = world.stripe.session(page)
    const events = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0 ? paid : world.stripe.webhook('checkout.session.completed', session),
    )
    // Stripe repeats what is not answered with 200, as while no connection to the database is free.
    const deliver = async (event: (typeof events)[number]): Promise<number> => {
      const status = await world.report(event)
      return status === 503 ? deliver(event) : status
    }
    const statuses = await Promise.all(events.map(deliver))
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: 5_000_000, credited: 5_000_000 })
    const taken = world.stripe.refund(page, 500)
    await Promise.all(Array.from({ length: 20 }, () => world.report(taken)))
    expect(await booksOf(world.ctx.database, user.id)).toMatchObject({ free: 2_500_000, credited: 2_500_000 })
  })

  test.each(kind === 'sqlite' ? (['refused', 'answer-lost'] as const) : (['answer-lost'] as const))(
    'a payment is credited, refunded and disputed once, wherever the database fails with %p before it is reported again',
    async (fault) => {
      let callsLeft = Infinity
      const database = faultyDatabase(world.ctx.database, () => {
        callsLeft -= 1
        return callsLeft === 0 ? fault : 'none'
      })
      const site = createTestConsole({ ...world.ctx, database }, paymentHandlers)
      const report = async ({ body, signature }: StripeWebhook) =>
        (await site.send('POST', '/api/stripe/webhook', { body, headers: webhookHeaders(signature) })).status
      const happenings = [
        (stripe: StripeSite['stripe'], page: string) => stripe.pay(page),
        (stripe: StripeSite['stripe'], page: string) => stripe.refund(page, 300),
        (stripe: StripeSite['stripe'], page: string) => stripe.dispute(page, { amount: 200 }),
        (stripe: StripeSite['stripe'], page: string) => stripe.moveDispute(page, 'won'),
        (stripe: StripeSite['stripe'], page: string) => stripe.failRefund(page),
      ]
      let hasFailed = true
      for (let position = 1; hasFailed; position += 1) {
        const user = await world.aUser()
        const { page } = await aStripeOrder(world, user)
        hasFailed = false
        for (const [index, happen] of happenings.entries()) {
          const event = happen(world.stripe, page)
          callsLeft = position
          await report(event)
          hasFailed ||= callsLeft <= 0
          callsLeft = Infinity
          // Whether it was applied or not, Stripe repeats it unless its arrival was confirmed.
          expect(await report(event)).toBe(200)
          expect((await user.free()) / 500_000).toBe([10, 7, 5, 7, 10][index] ?? NaN)
        }
      }
    },
  )

  once('a payment without an event is credited when a client queries it', async () => {
    const user = await world.aUser()
    const { number, page } = await aStripeOrder(world, user)
    expect(await check(user, number)).toEqual({ status: 'pending', outcome: 'pending' })
    const paid = world.stripe.pay(page)
    world.stripe.isDown = true
    expect(await check(user, number)).toEqual({ status: 'pending', outcome: 'unreachable' })
    world.stripe.isDown = false
    expect(await check(user, number)).toEqual({ status: 'paid', outcome: 'paid' })
    expect(await world.report(paid)).toBe(200)
    expect(await user.free()).toBe(5_000_000)
    const [other, late] = [await aStripeOrder(world, user), await aStripeOrder(world, user)]
    world.stripe.payLater(other.page)
    world.stripe.fail(other.page)
    expect(await check(user, other.number)).toEqual({ status: 'failed', outcome: 'failed' })
    world.stripe.expire(late.page)
    expect(await check(user, late.number)).toEqual({ status: 'expired', outcome: 'failed' })
    expect(await user.free()).toBe(5_000_000)
  })

  once('a payment begins on a page of Stripe’s that the order keeps', async () => {
    const { id } = await anAccount(world.ctx, { email: `payer-${kind}@example.com` })
    const client = world.site.client(await world.site.signIn(id))
    const body = { amount: 10, payment_method: 'stripe' }
    const { data, envelopeFields } = await client.callWhole(paymentRoutes.pay, { body })
    const page = world.stripe.pageOf(envelopeFields.trade_no)
    expect(data).toEqual({})
    expect(envelopeFields.url).toBe(page.url)
    expect(page).toMatchObject({
      amount_total: 1000,
      currency: 'usd',
      customer_email: `payer-${kind}@example.com`,
      expires_at: world.now() + 3600,
      success_url: `https://gate.example/app/wallet/topup-success?trade_no=${envelopeFields.trade_no}`,
      cancel_url: 'https://gate.example/app/wallet',
    })
    const again = () => client.callWhole(paymentRoutes.continueOrder, { body: { trade_no: envelopeFields.trade_no } })
    expect((await again()).envelopeFields.url).toBe(page.url)
    expect(await world.rowOf(envelopeFields.trade_no)).toMatchObject({ provider_number: page.id, merchant: 'test' })
    world.stripe.expire(page.id)
    expect(await again().catch(codeOf)).toBe('order.closed')
  })

  once.each([
    ['paid on its page', (stripe, page) => stripe.pay(page), 'order.paid', 'paid'],
    [
      'failed',
      (stripe, page) => {
        stripe.payLater(page)
        stripe.fail(page)
      },
      'order.failed',
      'failed',
    ],
    ['under way', (stripe, page) => stripe.payLater(page), 'order.under_way', 'pending'],
    ['expired', (stripe, page) => stripe.expire(page), 'order.closed', 'expired'],
  ] satisfies [string, (stripe: StripeSite['stripe'], page: string) => unknown, string, string][])(
    'a payment cannot be continued once it is %s, though nothing was reported',
    async (_what, happen, refusal, status) => {
      const user = await world.aUser()
      const { number, page } = await aStripeOrder(world, user)
      happen(world.stripe, page)
      expect(await user.order(number)).toMatchObject({ status: 'pending', can_continue: true })
      const go = () => user.client.call(paymentRoutes.continueOrder, { body: { trade_no: number } }).catch(codeOf)
      expect(await go()).toBe(refusal)
      const isInProgress = refusal === 'order.under_way'
      expect(await user.order(number)).toMatchObject({ status, can_continue: false, is_under_way: isInProgress })
      // Known facts are not queried again.
      world.stripe.isDown = true
      expect(await go()).toBe(refusal)
      world.stripe.isDown = false
    },
  )

  once('a payment cannot begin while Stripe does not respond, and can be begun again', async () => {
    const user = await world.aUser()
    world.stripe.isDown = true
    expect(await user.pay(10, 'stripe').catch(codeOf)).toBe('pay.failed')
    world.stripe.isDown = false
    // A page is open for half an hour at least, however little is left of the order's time.
    world.passSeconds(3000)
    const [order] = (await user.client.call(paymentRoutes.listOwnOrders)).items
    const { envelopeFields } = await user.client.callWhole(paymentRoutes.continueOrder, {
      body: { trade_no: order?.trade_no ?? '' },
    })
    const page = world.stripe.pageOf(envelopeFields.trade_no)
    expect(await world.report(world.stripe.pay(page.id))).toBe(200)
    expect(await user.free()).toBe(5_000_000)
  })

  once('stored events have nothing of what Stripe knows about the payer', async () => {
    const user = await world.aUser()
    const { number, page } = await aStripeOrder(world, user)
    await world.report(world.stripe.pay(page))
    const events = await world.eventsOf(number)
    expect(events).toMatchObject([{ kind: 'paid', outcome: 'applied', source: 'callback' }])
    expect(JSON.parse(events[0]?.payload ?? '')).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'checkout.session.completed',
      object: page,
      kind: 'paid',
      amount: 1000,
      currency: 'USD',
    })
  })

  once('reports beyond 64 KB are not read', async () => {
    const body = 'x'.repeat(64 * 1024 + 1)
    expect(await world.report({ body, signature: world.stripe.sign(body) })).toBe(413)
  })
})

describe('options of Stripe', () => {
  let world: StripeSite
  beforeAll(async () => {
    world = await aStripeSite('sqlite')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const methodFor = async (user: Awaited<ReturnType<StripeSite['aUser']>>) =>
    (await user.client.call(paymentRoutes.topUpInfo)).pay_methods.find(({ type }) => type === 'stripe')

  test('currency, price and least amount are those of the method and of its orders', async () => {
    await world.set({ StripeCurrency: 'jpy', StripeUnitPrice: '150.5', StripeMinTopUp: '5' })
    const user = await world.aUser()
    expect(await methodFor(user)).toMatchObject({ currency: 'JPY', price: 150.5, min_topup: 5, provider: 'stripe' })
    expect(await user.pay(4, 'stripe').catch(codeOf)).toBe('pay.min')
    const { number } = await user.pay(5, 'stripe')
    const page = world.stripe.pageOf(number)
    expect(page).toMatchObject({ amount_total: 753, currency: 'jpy' })
    await world.set({ StripeCurrency: 'EUR', StripeUnitPrice: '1', StripeMinTopUp: '1' })
    expect(await world.report(world.stripe.pay(page.id))).toBe(200)
    expect(await user.free()).toBe(2_500_000)
    await world.set({ StripeCurrency: 'USD' })
  })

  test.each(['StripeApiSecret', 'StripeWebhookSecret'])('payments by Stripe are refused without %s', async (key) => {
    const user = await world.aUser()
    const { page, number } = await aStripeOrder(world, user)
    const paid = world.stripe.pay(page)
    await world.set({ [key]: '' })
    expect(await methodFor(user)).toBeUndefined()
    expect(await user.pay(10, 'stripe').catch(codeOf)).toBe('pay.method')
    expect(await world.report(paid)).toBe(400)
    expect(await world.report({ body: paid.body, signature: world.stripe.sign(paid.body, { secret: '' }) })).toBe(400)
    expect(await world.rowOf(number)).toMatchObject({ status: 'pending' })
    const secrets = { StripeApiSecret: world.stripe.apiSecret, StripeWebhookSecret: world.stripe.webhookSecret }
    await world.set(secrets)
    expect(await world.report(paid)).toBe(200)
    expect(await user.free()).toBe(5_000_000)
  })

  test('an order of test keys is not settled once the site has live keys', async () => {
    const user = await world.aUser()
    const { number } = await aStripeOrder(world, user)
    await world.set({ StripeApiSecret: 'rk_live_1' })
    const checked = await user.client.call(paymentRoutes.checkOrder, { body: { trade_no: number } })
    expect(checked).toEqual({ status: 'pending', outcome: 'unsupported' })
    expect(await user.order(number)).toMatchObject({ can_continue: false })
    await world.set({ StripeApiSecret: world.stripe.apiSecret })
  })
})

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : error)
