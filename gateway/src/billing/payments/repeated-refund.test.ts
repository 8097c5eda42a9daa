import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { paymentRoutes } from '@tollgate/contract'
import { startEpay } from '@tollgate/simulator'

import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, outcomeOf } from '../../../test/payment-site'
import { pollPendingRefunds } from './poll-pending-refunds'
import { aStripeOrder, aStripeSite, type StripeSite } from '../../../test/stripe-site'

setDefaultTimeout(120_000)

describe.each(kinds)('a refund by Stripe whose response was lost (%s)', (kind) => {
  const once = onceOf(kind)

  let world: StripeSite
  beforeEach(async () => {
    world = await aStripeSite(kind)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  /** A paid order of ten dollars, what an administrator refunds of it, and its state. */
  async function aPaidOrder() {
    const user = await world.aUser()
    const { number, page } = await aStripeOrder(world, user)
    await world.report(world.stripe.pay(page))
    const refund = async (amount?: string, is_paid_back = false) => {
      const { client } = await world.anAdmin()
      return outcomeOf(client.call(paymentRoutes.refundOrder, { body: { trade_no: number, amount, is_paid_back } }))
    }
    const standing = async () => {
      const { status, problem, refunded_minor: refunded } = await world.rowOf(number)
      return [(await user.free()) / 500_000, refunded, problem === '' ? status : `${status} ${problem}`]
    }
    const readRefundedAmount = () => world.stripe.chargeOf(page).amount_refunded
    const readNotifications = async () => {
      const messages = world.ctx.database.query.selectFrom('messages').select('params')
      return (await messages.where('kind', '=', 'payment-refunded').execute()).map(({ params }) => JSON.parse(params))
    }
    return { number, page, refund, standing, readRefundedAmount, readNotifications }
  }

  once('the same amount by another administrator is the same refund, and a third one is another', async () => {
    const { number, refund, standing, readRefundedAmount, readNotifications } = await aPaidOrder()
    world.stripe.isCut = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isCut = false
    expect([await standing(), readRefundedAmount()]).toEqual([[7, 300, 'paid refund'], 300])
    expect(await readNotifications()).toEqual([])
    expect(await refund('3.00')).toBe('ok')
    expect([await standing(), readRefundedAmount()]).toEqual([[7, 300, 'paid'], 300])
    expect(await readNotifications()).toEqual([{ order: number, amount: '3.00 USD', quota: 1_500_000 }])
    expect(await refund('3.00')).toBe('ok')
    expect([await standing(), readRefundedAmount()]).toEqual([[4, 600, 'paid'], 600])
    expect(await world.differences()).toEqual([])
  })

  once('it is found after the key was forgotten, and made where Stripe does not know it', async () => {
    const { refund, standing, readRefundedAmount } = await aPaidOrder()
    world.stripe.isCut = true
    expect(await refund()).toBe('order.refund_uncertain')
    world.stripe.isCut = false
    const posts = () => world.stripe.calls.filter(({ method }) => method === 'POST').length
    const before = posts()
    world.passSeconds(30 * 3600)
    expect(await refund()).toBe('ok')
    expect([await standing(), readRefundedAmount(), posts()]).toEqual([[0, 1000, 'refunded'], 1000, before])

    const other = await aPaidOrder()
    world.stripe.isDown = true
    expect(await other.refund('2.00')).toBe('order.refund_uncertain')
    world.stripe.isDown = false
    expect([await other.standing(), other.readRefundedAmount()]).toEqual([[8, 200, 'paid refund'], 0])
    expect(await other.refund('2.00')).toBe('ok')
    expect([await other.standing(), other.readRefundedAmount()]).toEqual([[8, 200, 'paid'], 200])
  })

  once('one that Stripe refuses when it is repeated gives its quota back', async () => {
    const { page, refund, standing } = await aPaidOrder()
    world.stripe.isDown = true
    expect(await refund('5.00')).toBe('order.refund_uncertain')
    world.stripe.isDown = false
    // Refunded in the dashboard, and not reported yet.
    world.stripe.refund(page, 800)
    expect(await refund('5.00')).toBe('order.refund_refused')
    expect(await standing()).toEqual([10, 0, 'paid'])
  })

  test('a job asks about it under its first number, ends it, and tells operators of one that stays uncertain', async () => {
    const { number, refund, standing, readRefundedAmount, readNotifications } = await aPaidOrder()
    const pollRefunds = () => pollPendingRefunds(world.ctx, new AbortController().signal)
    const events = async () => {
      const rows = world.ctx.database.query.selectFrom('operator_events').select(['kind', 'facts'])
      return rows.where('subject', '=', `${number}:1`).execute()
    }
    world.stripe.isDown = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    await pollRefunds()
    world.passSeconds(1800)
    await pollRefunds()
    expect([await standing(), await events()]).toEqual([[7, 300, 'paid refund'], []])
    world.passSeconds(3600)
    await pollRefunds()
    expect(await events()).toEqual([
      { kind: 'refund-uncertain', facts: JSON.stringify({ name: number, amount: '3.00 USD' }) },
    ])
    world.stripe.isDown = false
    world.stripe.isCut = true
    await pollRefunds()
    world.stripe.isCut = false
    await pollRefunds()
    await pollRefunds()
    expect([await standing(), readRefundedAmount()]).toEqual([[7, 300, 'paid'], 300])
    expect(await readNotifications()).toEqual([{ order: number, amount: '3.00 USD', quota: 1_500_000 }])
    expect(await world.differences()).toEqual([])
  })

  once('another amount is another refund, and the uncertain one stays marked', async () => {
    const { refund, standing, readRefundedAmount } = await aPaidOrder()
    world.stripe.isCut = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isCut = false
    expect(await refund('2.00')).toBe('ok')
    expect([await standing(), readRefundedAmount()]).toEqual([[5, 500, 'paid refund'], 500])
    expect(await refund('3.00')).toBe('ok')
    expect([await standing(), readRefundedAmount()]).toEqual([[5, 500, 'paid'], 500])
  })

  once('money that was paid back in another way ends it, and takes no quota twice', async () => {
    const { refund, standing } = await aPaidOrder()
    world.stripe.isDown = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    expect(await refund('3.00', true)).toBe('ok')
    world.stripe.isDown = false
    expect(await standing()).toEqual([7, 300, 'paid'])
  })

  once('while the first request waits for its response a second of the same amount is refused', async () => {
    const { refund, standing, readRefundedAmount } = await aPaidOrder()
    const seen: unknown[] = []
    world.stripe.beforeAnswer = async ({ path }) => {
      if (path !== '/v1/refunds') return
      world.stripe.beforeAnswer = null
      seen.push(await refund('3.00'))
    }
    expect(await refund('3.00')).toBe('ok')
    expect(seen).toEqual(['order.refund_under_way'])
    expect([await standing(), readRefundedAmount()]).toEqual([[7, 300, 'paid'], 300])
  })

  test('a report of all the money ends it, tells the payer, and the same amount is a new refund', async () => {
    const { page, refund, standing, readRefundedAmount, readNotifications } = await aPaidOrder()
    world.stripe.isCut = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isCut = false
    world.passSeconds(61)
    expect(await world.report(world.stripe.webhook('charge.refunded', world.stripe.chargeOf(page)))).toBe(200)
    expect(await standing()).toEqual([7, 300, 'paid'])
    expect(await readNotifications()).toHaveLength(1)
    expect(await refund('3.00')).toBe('ok')
    expect([await standing(), readRefundedAmount()]).toEqual([[4, 600, 'paid'], 600])
  })
})

test.each([
  { version: 1, repeated: 'order.refund_uncertain', standing: [7.5, 'paid refund'] },
  { version: 2, repeated: 'ok', standing: [7.5, 'paid'] },
] satisfies { version: 1 | 2; repeated: string; standing: unknown[] }[])(
  'a refund by Epay in version $version whose response was lost is not paid twice',
  async (expected) => {
    const { version } = expected
    const service = startEpay(version)
    await using world = await aPaymentSite('sqlite', {
      PayAddress: service.url,
      EpayVersion: `v${version}`,
      EpayKey: version === 1 ? service.key : '',
      EpayPrivateKey: version === 2 ? service.privateKey : '',
      EpayPlatformKey: version === 2 ? service.platformKey : '',
    })
    const [user, admin] = [await world.aUser(), await world.anAdmin()]
    const { fields, number } = await user.pay(10)
    service.open(fields)
    service.pay(number)
    await notify(world, version === 1 ? notificationOf(fields, {}, service.key) : service.notification(number))
    const refund = () =>
      outcomeOf(admin.client.call(paymentRoutes.refundOrder, { body: { trade_no: number, amount: '18.25' } }))
    service.refunds = 'silent'
    expect(await refund()).toBe('order.refund_uncertain')
    service.refunds = 'refused'
    expect(await refund()).toBe('order.refund_uncertain')
    service.refunds = 'done'
    expect(await refund()).toBe(expected.repeated)
    const { status, problem } = await world.rowOf(number)
    expect([(await user.free()) / 500_000, problem === '' ? status : `${status} ${problem}`]).toEqual(expected.standing)
    expect(service.orders.get(number)?.refunded).toHaveLength(1)
    await service.stop()
  },
)
