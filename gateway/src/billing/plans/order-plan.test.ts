import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { paymentRoutes, planRoutes } from '@tollgate/contract'

import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../../test/payment-site'
import { aStripeSite } from '../../../test/stripe-site'
import { createPlan, deletePlan } from '../../console-api/plans/change-plans'
import { findOwnSubscriptions } from '../../console-api/plans/find-plans'
import { statementOf } from '../../console-api/wallet/statement'

describe.each(kinds)('a plan that an order buys (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  let ann: Awaited<ReturnType<PaymentSite['aUser']>>
  let admin: Awaited<ReturnType<PaymentSite['anAdmin']>>
  beforeEach(async () => {
    world = await aPaymentSite(kind)
    ann = await world.aUser()
    admin = await world.anAdmin()
  })
  afterEach(async () => {
    const found = await world.differences()
    await world[Symbol.asyncDispose]()
    expect(found.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })

  const price = 4_950_000
  const aPlan = (fields: object = {}) =>
    createPlan(world.ctx, planRoutes.PlanSettings.parse({ name: 'Pro', price, length: 1, unit: 'month', ...fields }))
  const order = async (plan_id: number) => {
    const { data, envelopeFields } = await ann.client.callWhole(paymentRoutes.pay, {
      body: { plan_id, payment_method: 'zfb' },
    })
    return { form: data, number: envelopeFields.trade_no }
  }
  const pay = (form: Readonly<Record<string, string>>) => notify(world, notificationOf(form))
  const refund = (trade_no: string, amount?: string) =>
    admin.client.call(paymentRoutes.refundOrder, { body: { trade_no, amount, is_paid_back: true } })
  const subscriptions = () => findOwnSubscriptions(world.ctx, ann.id)

  once(
    'costs its price, begins when it is paid, once however often that is reported, and leaves the wallet as it was',
    async () => {
      const planId = await aPlan()
      const { form, number } = await order(planId)
      expect(form['money']).toBe('72.27')
      const quote = { plan_id: planId, payment_method: 'zfb', top_up_code: '' }
      expect(await ann.client.call(paymentRoutes.payableAmount, { body: quote })).toBe('72.27')
      expect(await subscriptions()).toEqual([])
      expect([await pay(form), await pay(form)]).toEqual(['success', 'success'])
      expect(await subscriptions()).toMatchObject([
        { plan_id: planId, source: 'order', state: 'active', price, trade_no: number },
      ])
      expect(await ann.free()).toBe(0)
    },
  )

  test('its order names it for its buyer and for operators, also once it is removed; a top-up names none', async () => {
    const planId = await aPlan()
    const { number } = await order(planId)
    await deletePlan(world.ctx, planId)
    const topUp = await ann.pay()
    const planOf = ({ trade_no, plan }: paymentRoutes.OwnOrder) => [trade_no, plan]
    const named = [
      [topUp.number, ''],
      [number, 'Pro'],
    ]
    expect((await ann.client.call(paymentRoutes.listOwnOrders, { query: {} })).items.map(planOf)).toEqual(named)
    expect((await admin.client.call(paymentRoutes.listOrders, { query: {} })).items.map(planOf)).toEqual(named)
    const file = await (await ann.client.download(paymentRoutes.exportOwnOrders)).text()
    expect(file.split('\r\n').filter((line) => line.includes(',Pro,'))).toHaveLength(1)
  })

  once('the statement names it where the wallet pays for it', async () => {
    const planId = await aPlan()
    const { form } = await order(planId)
    await pay(form)
    const { movements } = await statementOf(world.ctx, ann.id, '2026-03')
    expect(movements.map(({ kind, plan }) => `${kind}: ${plan}`).toSorted()).toEqual(['plan: Pro', 'top-up: '])
  })

  once('ends when the order is refunded, wholly or in part, and the wallet stays as it was', async () => {
    const planId = await aPlan({ max_per_user: 2 })
    const [whole, part] = [await order(planId), await order(planId)]
    await pay(whole.form)
    await pay(part.form)
    await refund(whole.number)
    expect((await subscriptions()).map(({ trade_no, state }) => [trade_no, state])).toEqual([
      [part.number, 'active'],
      [whole.number, 'ended'],
    ])
    await refund(part.number, '10.00')
    expect((await subscriptions()).map(({ state }) => state)).toEqual(['ended', 'ended'])
    expect(await ann.free()).toBe(0)
  })

  once('further refunds of an order whose plan has ended leave the wallet as it was', async () => {
    const { form, number } = await order(await aPlan())
    await pay(form)
    await refund(number, '10.00')
    await refund(number, '20.00')
    expect(await ann.free()).toBe(0)
    await refund(number)
    expect([await ann.free(), (await subscriptions())[0]?.state]).toEqual([0, 'ended'])
  })

  once('a dispute that the payer loses brings the plan back for the rest of its term, and no quota', async () => {
    await using site = await aStripeSite(kind)
    const bob = await site.aUser()
    const settings = planRoutes.PlanSettings.parse({ name: 'Pro', price, length: 1, unit: 'month' })
    const planId = await createPlan(site.ctx, settings)
    const { envelopeFields } = await bob.client.callWhole(paymentRoutes.pay, {
      body: { plan_id: planId, payment_method: 'stripe' },
    })
    const { id: page } = site.stripe.pageOf(envelopeFields.trade_no)
    await site.report(site.stripe.pay(page))
    const own = async () => (await findOwnSubscriptions(site.ctx, bob.id)).map(({ state, ends_at }) => [state, ends_at])
    const before = await own()
    site.passSeconds(20 * 86_400)
    await site.report(site.stripe.dispute(page))
    expect([(await own()).map(([state]) => state), await bob.free()]).toEqual([['ended'], 0])
    await site.report(site.stripe.moveDispute(page, 'won'))
    expect([await own(), await bob.free()]).toEqual([before, 0])
    const after = await site.differences()
    expect(after.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })

  once('a plan is paid through Stripe as well, and ends when the bank of the payer takes the money back', async () => {
    await using site = await aStripeSite(kind)
    const bob = await site.aUser()
    const settings = planRoutes.PlanSettings.parse({ name: 'Pro', price, length: 1, unit: 'month' })
    const planId = await createPlan(site.ctx, settings)
    const { envelopeFields } = await bob.client.callWhole(paymentRoutes.pay, {
      body: { plan_id: planId, payment_method: 'stripe' },
    })
    const { id: page } = site.stripe.pageOf(envelopeFields.trade_no)
    expect(await site.report(site.stripe.pay(page))).toBe(200)
    const stateOf = async () => (await findOwnSubscriptions(site.ctx, bob.id)).map(({ state }) => state)
    expect(await stateOf()).toEqual(['active'])
    expect(await site.report(site.stripe.dispute(page))).toBe(200)
    expect([await stateOf(), await bob.free()]).toEqual([['ended'], 0])
  })

  once('stays in the wallet where the user runs the plan as often as is allowed, or the plan is gone', async () => {
    const planId = await aPlan()
    const [first, second] = [await order(planId), await order(planId)]
    await pay(first.form)
    await pay(second.form)
    expect(await subscriptions()).toHaveLength(1)
    expect(await ann.free()).toBe(price)
    await refund(second.number)
    expect([await ann.free(), (await subscriptions())[0]?.state]).toEqual([0, 'active'])
  })
})
