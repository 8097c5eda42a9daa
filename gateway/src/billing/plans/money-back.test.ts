import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { daySeconds, paymentRoutes, planRoutes } from '@tollgate/contract'

import { kinds, onceOf } from '../../../test/kinds'
import { aPaymentSite, notificationOf, notify, type PaymentSite } from '../../../test/payment-site'
import { aStripeSite } from '../../../test/stripe-site'
import { createPlan } from '../../console-api/plans/change-plans'
import { findOwnSubscriptions, subscriptionRow } from '../../console-api/plans/find-plans'
import type { Context } from '../../context'
import { settleCommissions } from '../payments/settle-commissions'
import { upgradePlan } from './buy-plan'
import { renewSubscriptions } from './renew'
import { endSubscription, restReturned } from './subscription'

const { signal } = new AbortController()
const price = 4_950_000
/** What a top-up of ten dollars credits. */
const topUp = 5_000_000

const aPlan = (ctx: Context, fields: object = {}) =>
  createPlan(ctx, planRoutes.PlanSettings.parse({ name: 'Pro', price, length: 30, unit: 'day', ...fields }))

describe.each(kinds)('money of an order that goes back after its plan went on (%s)', (kind) => {
  const once = onceOf(kind)

  let world: PaymentSite
  let ann: Awaited<ReturnType<PaymentSite['aUser']>>
  let planId: number
  let dearerId: number
  beforeEach(async () => {
    world = await aPaymentSite(kind, { InvitationCommissionRate: '10', InvitationCommissionDelayDays: '3' })
    ann = await world.aUser()
    planId = await aPlan(world.ctx)
    dearerId = await aPlan(world.ctx, { name: 'Max', price: 2 * price })
  })
  afterEach(async () => {
    const found = await world.differences()
    await world[Symbol.asyncDispose]()
    expect(found.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })

  const passDays = (days: number) => world.passSeconds(days * daySeconds)
  /** Resolves with the number of a paid order for the plan. */
  const buy = async () => {
    const body = { plan_id: planId, payment_method: 'zfb' }
    const { data, envelopeFields } = await ann.client.callWhole(paymentRoutes.pay, { body })
    expect(await notify(world, notificationOf(data))).toBe('success')
    return envelopeFields.trade_no
  }
  const topUpTwice = async () => {
    for (const amount of [10, 10]) await notify(world, notificationOf((await ann.pay(amount)).fields))
  }
  const refund = async (trade_no: string, amount?: string) =>
    (await world.anAdmin()).client.call(paymentRoutes.refundOrder, { body: { trade_no, amount, is_paid_back: true } })
  const subscriptions = () => findOwnSubscriptions(world.ctx, ann.id)
  const states = async () => (await subscriptions()).map(({ plan_name: name, state }) => `${name} ${state}`)
  const running = async () => {
    const [first] = await subscriptions()
    return subscriptionRow(world.ctx, first?.id ?? 0)
  }
  const renew = async () => {
    const { id } = await running()
    await world.ctx.database.query.updateTable('subscriptions').set({ renews: 1 }).where('id', '=', id).execute()
    world.passSeconds(30 * daySeconds - 30)
    await renewSubscriptions(world.ctx, signal, () => Promise.resolve())
    world.passSeconds(30)
  }

  once(
    'renewed: the plan ends, what is left of the present term returns, and the term that was used is owed',
    async () => {
      await topUpTwice()
      const number = await buy()
      await renew()
      expect(await running()).toMatchObject({ term: 2, paid: 2 * price })
      passDays(15)
      await refund(number)
      expect(await states()).toEqual(['Pro ended'])
      expect(await ann.free()).toBe(2 * topUp - price + price / 2 - price)
    },
  )

  test('renewed, and refunded in parts: what is left returns once', async () => {
    await topUpTwice()
    const number = await buy()
    await renew()
    await refund(number, '36.14')
    const afterHalf = await ann.free()
    expect(await states()).toEqual(['Pro ended'])
    await refund(number)
    expect(afterHalf).toBeGreaterThan(2 * topUp - price)
    expect(await ann.free()).toBe(2 * topUp - price)
  })

  test('upgraded: the dearer plan ends, and the user has paid for what was used of either', async () => {
    await topUpTwice()
    const number = await buy()
    passDays(3)
    await upgradePlan(world.ctx, await running(), dearerId)
    expect(await ann.free()).toBe(2 * topUp - 2 * price + 0.9 * price)
    passDays(15)
    await refund(number)
    expect(await states()).toEqual(['Max ended', 'Pro ended'])
    expect(await ann.free()).toBe(2 * topUp - 0.1 * price - price)
  })

  once('ended at its time: what was used is owed, like a top-up that was spent', async () => {
    const number = await buy()
    passDays(31)
    await renewSubscriptions(world.ctx, signal, () => Promise.resolve())
    expect(await states()).toEqual(['Pro ended'])
    await refund(number)
    expect(await ann.free()).toBe(-price)
  })

  once('ended by an operator with what was left: what was used is owed, and nothing returns twice', async () => {
    const number = await buy()
    passDays(3)
    const { id } = await running()
    await world.ctx.database.query
      .transaction()
      .execute((transaction) =>
        endSubscription(world.ctx, transaction, { id }, restReturned(world.ctx, transaction, 'rest')),
      )
    expect(await ann.free()).toBe(0.9 * price)
    await refund(number)
    expect(await ann.free()).toBe(-0.1 * price)
  })

  once('the inviter’s commission is that of the order alone, and is taken back with it', async () => {
    const inviter = ann
    ann = await world.aUser()
    const invitation = { inviter_quota: 0, invitee_quota: 0, state: 'rewarded', created_at: world.now() } as const
    await world.ctx.database.query
      .insertInto('invitations')
      .values({ invitee_id: ann.id, inviter_id: inviter.id, address: '', device_hash: '', ...invitation })
      .execute()
    const number = await buy()
    await topUpTwice()
    await upgradePlan(world.ctx, await running(), dearerId)
    passDays(4)
    await settleCommissions(world.ctx, signal)
    expect(await inviter.free()).toBe((price + 2 * topUp) / 10)
    await refund(number)
    expect(await inviter.free()).toBe((2 * topUp) / 10)
  })

  test('upgraded, disputed and won: the rest of the dearer plan stays in the wallet, with what the order credited', async () => {
    await using site = await aStripeSite(kind)
    const bob = await site.aUser()
    const [cheap, dear] = [await aPlan(site.ctx), await aPlan(site.ctx, { name: 'Max', price: 2 * price })]
    const pay = async (body: object) => {
      const { envelopeFields } = await bob.client.callWhole(paymentRoutes.pay, {
        body: { payment_method: 'stripe', ...body },
      })
      const { id } = site.stripe.pageOf(envelopeFields.trade_no)
      await site.report(site.stripe.pay(id))
      return id
    }
    await pay({ amount: 10 })
    const page = await pay({ plan_id: cheap })
    const [bought] = await findOwnSubscriptions(site.ctx, bob.id)
    await upgradePlan(site.ctx, await subscriptionRow(site.ctx, bought?.id ?? 0), dear)
    expect(await bob.free()).toBe(topUp - price)
    await site.report(site.stripe.dispute(page))
    expect(await bob.free()).toBe(topUp)
    await site.report(site.stripe.moveDispute(page, 'won'))
    expect(await bob.free()).toBe(topUp + price)
    expect((await findOwnSubscriptions(site.ctx, bob.id)).map(({ state }) => state)).toEqual(['ended', 'ended'])
    const after = await site.differences()
    expect(after.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })
})
