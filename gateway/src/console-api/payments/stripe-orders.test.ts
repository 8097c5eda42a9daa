import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { paymentRoutes } from '@tollgate/contract'

import { eventually } from '../../../test/eventually'
import { kinds, onceOf } from '../../../test/kinds'
import { outcomeOf } from '../../../test/payment-site'
import { aStripeOrder, aStripeSite, type StripeSite } from '../../../test/stripe-site'
import { pollPendingOrders } from '../../billing/payments/poll-pending-orders'

setDefaultTimeout(120_000)

describe.each(kinds)('an order of Stripe (%s)', (kind) => {
  const once = onceOf(kind)

  let world: StripeSite
  let admin: Awaited<ReturnType<StripeSite['anAdmin']>>
  beforeAll(async () => {
    world = await aStripeSite(kind)
    admin = await world.anAdmin()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** An order of ten dollars, what an operator refunds of it, and its state. */
  async function anOrder() {
    const user = await world.aUser()
    const { number, page } = await aStripeOrder(world, user)
    const refund = (amount?: string) =>
      outcomeOf(admin.client.call(paymentRoutes.refundOrder, { body: { trade_no: number, amount } }))
    const standing = async () => {
      const { status, problem, refunded_minor: refunded } = await world.rowOf(number)
      return [(await user.free()) / 500_000, refunded, problem === '' ? status : `${status} ${problem}`]
    }
    return { number, page, refund, standing }
  }
  const pollOrders = () => pollPendingOrders(world.ctx, new AbortController().signal)

  once('an operator’s refund is made once, and the event that Stripe sends about it changes nothing', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    expect(await refund('2.50')).toBe('ok')
    expect(world.stripe.chargeOf(page).amount_refunded).toBe(250)
    expect(await standing()).toEqual([7.5, 250, 'paid'])
    const event = world.stripe.webhook('charge.refunded', world.stripe.chargeOf(page))
    expect(await world.report(event)).toBe(200)
    expect(await standing()).toEqual([7.5, 250, 'paid'])
    expect(await refund('7.51')).toBe('order.refund_amount')
    expect(await refund()).toBe('ok')
    expect(world.stripe.chargeOf(page).amount_refunded).toBe(1000)
    expect(await standing()).toEqual([0, 1000, 'refunded'])
    expect(await world.differences()).toEqual([])
  })

  once('an order keeps its quota where Stripe refuses the refund', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    // Refunded in the dashboard, and not reported yet.
    const late = world.stripe.refund(page, 800)
    expect(await refund('5.00')).toBe('order.refund_refused')
    expect(await standing()).toEqual([10, 0, 'paid'])
    expect(await world.report(late)).toBe(200)
    expect(await standing()).toEqual([2, 800, 'paid'])
  })

  once('a refund that Stripe reports counts while it refuses that of an operator', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    const late = world.stripe.refund(page, 800)
    world.stripe.beforeAnswer = async ({ path }) => {
      if (path !== '/v1/refunds') return
      world.stripe.beforeAnswer = null
      await world.report(late)
    }
    expect(await refund('5.00')).toBe('order.refund_refused')
    expect(await standing()).toEqual([2, 800, 'paid'])
    expect(await world.differences()).toEqual([])
  })

  once('an order is marked while a refund is uncertain, until Stripe reports it', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    world.stripe.isDown = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isDown = false
    expect(await standing()).toEqual([7, 300, 'paid refund'])
    expect(await world.report(world.stripe.refund(page, 300))).toBe(200)
    expect(await standing()).toEqual([7, 300, 'paid'])
  })

  once('an order is not marked where Stripe reports a refund and then fails to respond', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    world.stripe.beforeAnswer = async ({ path }) => {
      if (path !== '/v1/refunds') return
      world.stripe.beforeAnswer = null
      await world.report(world.stripe.refund(page, 300))
      world.stripe.isDown = true
    }
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isDown = false
    expect(await standing()).toEqual([7, 300, 'paid'])
  })

  once(
    'an order gets the quota of an operator’s refund back when the bank returns it, and can be refunded again',
    async () => {
      const { number, page, refund, standing } = await anOrder()
      await world.report(world.stripe.pay(page))
      expect(await refund('4.00')).toBe('ok')
      expect(await world.report(world.stripe.failRefund(page))).toBe(200)
      expect(await standing()).toEqual([10, 0, 'paid refund_failed'])
      expect((await world.eventsOf(number)).map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
        'paid applied',
        'refund refunded',
        'refund-failed applied',
      ])
      await admin.client.call(paymentRoutes.resolveOrder, { body: { trade_no: number } })
      expect(await refund('2.50')).toBe('ok')
      expect(await world.report(world.stripe.webhook('charge.refunded', world.stripe.chargeOf(page)))).toBe(200)
      expect(await standing()).toEqual([7.5, 250, 'paid'])
      expect(await world.differences()).toEqual([])
    },
  )

  once('an order with an uncertain refund stays marked when an earlier one fails', async () => {
    const { page, refund, standing } = await anOrder()
    await world.report(world.stripe.pay(page))
    await world.report(world.stripe.refund(page, 100))
    world.stripe.isDown = true
    expect(await refund('3.00')).toBe('order.refund_uncertain')
    world.stripe.isDown = false
    expect(await standing()).toEqual([6, 400, 'paid refund'])
    expect(await world.report(world.stripe.failRefund(page))).toBe(200)
    expect(await standing()).toEqual([7, 300, 'paid refund'])
    expect(await world.report(world.stripe.refund(page, 300))).toBe(200)
    expect(await standing()).toEqual([7, 300, 'paid'])
  })

  once('an unpaid order has nothing to refund, also after an operator completed it', async () => {
    const { number, refund, standing } = await anOrder()
    expect(await refund()).toBe('order.unpaid')
    await admin.client.call(paymentRoutes.completeOrder, { body: { trade_no: number } })
    expect(await standing()).toEqual([10, 0, 'paid'])
    expect(await refund()).toBe('order.refund_refused')
    expect(await standing()).toEqual([10, 0, 'paid'])
  })

  once(
    'the owner of an order is notified of each movement with the money behind it, and operators of a dispute',
    async () => {
      const { number, page } = await anOrder()
      const paid = world.stripe.pay(page)
      await world.report(world.stripe.refund(page, 100))
      await world.report(paid)
      await world.report(world.stripe.refund(page, 200))
      await world.report(world.stripe.dispute(page, { amount: 300 }))
      await world.report(world.stripe.refund(page, 50))
      await world.report(world.stripe.moveDispute(page, 'won'))
      const { user_id: userId } = await world.rowOf(number)
      const rows = world.ctx.database.query.selectFrom('logs').select('content').where('user_id', '=', userId)
      const texts = await eventually(async () => {
        const found = await rows.orderBy('id').execute()
        return found.length === 6 ? found.map(({ content }) => content) : null
      })
      const reported = texts.map((text) => [/log\.top\w+/.exec(text)?.[0], /\d+\.\d\d USD/.exec(text)?.[0]])
      expect(reported).toEqual([
        ['log.topped_up', '10.00 USD'],
        ['log.top_up_refunded', '1.00 USD'],
        ['log.top_up_refunded', '2.00 USD'],
        ['log.top_up_disputed', '3.00 USD'],
        ['log.top_up_refunded', '0.50 USD'],
        ['log.top_up_restored', '3.00 USD'],
      ])
      const events = world.ctx.database.query
        .selectFrom('operator_events')
        .select(['kind', 'subject', 'facts', 'count'])
      const facts = JSON.stringify({ name: number, amount: '3.00 USD' })
      expect(await events.where('subject', '=', number).execute()).toEqual([
        { kind: 'payment-disputed', subject: number, facts, count: 1 },
      ])
    },
  )

  test('Stripe is queried about an order until it is paid, failed or over', async () => {
    const [paid, failed, left, late] = [await anOrder(), await anOrder(), await anOrder(), await anOrder()]
    world.stripe.pay(paid.page)
    world.stripe.payLater(failed.page)
    world.stripe.payLater(late.page)
    world.passSeconds(130)
    await pollOrders()
    expect(await paid.standing()).toEqual([10, 0, 'paid'])
    expect(await failed.standing()).toEqual([0, 0, 'pending'])
    world.stripe.fail(failed.page)
    world.passSeconds(7200)
    await pollOrders()
    const standings = () => Promise.all([failed, left, late].map(({ standing }) => standing()))
    // A page that was filled in does not expire while its money is in transit.
    expect(await standings()).toEqual([
      [0, 0, 'failed'],
      [0, 0, 'expired'],
      [0, 0, 'pending'],
    ])
    world.passSeconds(5 * 86_400)
    await pollOrders()
    expect(await late.standing()).toEqual([0, 0, 'pending'])
    world.stripe.arrive(late.page)
    world.passSeconds(86_400)
    await pollOrders()
    expect(await late.standing()).toEqual([10, 0, 'paid'])
  })
})
