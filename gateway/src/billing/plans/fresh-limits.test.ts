import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { planRoutes, redemptionRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { aCharge } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { planHandlers } from '../../console-api/plans/plans'
import { redeemHandlers, redemptionHandlers } from '../../console-api/redemption-codes/redemption-codes'
import { plansOfUser, windowsOfPlan } from './account-plans'
import { renewSubscriptions } from './renew'

const day = 86_400
const free = { name: 'Free', price: 0, windows: [{ name: 'Year', measure: 'requests', limit: 3, span: 'always' }] }

describe.each(kinds)('limits of a plan that is begun again (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let clock: WallClock
  let site: TestConsole
  let root: ReturnType<TestConsole['client']>
  beforeEach(async () => {
    clock = new WallClock(Date.parse('2026-03-01T12:00:00Z'))
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...planHandlers, ...redemptionHandlers, ...redeemHandlers])
    root = site.client(await site.signIn((await anAccount(world.ctx, { role: role.root })).id))
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const aPlan = (fields: object) =>
    root.call(planRoutes.createPlan, {
      body: planRoutes.PlanSettings.parse({ length: 10, unit: 'day', ...fields }),
    })
  let calls = 0
  const aUser = async () => {
    const { id } = await anAccount(world.ctx, { quota: 50_000 })
    const client = site.client(await site.signIn(id))
    /** Makes calls that a subscription pays for, until its limits are used up, `max` at most. Resolves with how many there were. */
    const useUp = async (subscriptionId: number, max = Infinity) => {
      const { ledger, database } = world.ctx
      const running = (await plansOfUser(database.query, id)).find((plan) => plan.subscriptionId === subscriptionId)
      const windows = running ? windowsOfPlan(running, 'UTC') : []
      const payer = { userId: id, tokenId: 0, isTokenLimited: false, subscriptionId, windows }
      for (let served = 0; ; served += 1) {
        if (served === max) return served
        const reservation = await ledger.reserve(`call-${(calls += 1)}`, payer, 1).catch(() => null)
        if (!reservation) return served
        await ledger.charge(reservation, aCharge(1, { userId: id, createdAt: clock.seconds() }))
        await ledger.waitUntilApplied()
      }
    }
    return {
      id,
      client,
      useUp,
      buy: async (plan_id: number, renews = false) =>
        (await client.call(planRoutes.buyPlan, { body: { plan_id, renews } })).id,
      upgrade: async (subscription: number, plan_id: number) =>
        (await client.call(planRoutes.upgradePlan, { params: { id: subscription }, body: { plan_id } })).id,
      change: (subscription: number, body: object) =>
        client.call(planRoutes.changeSubscription, { params: { id: subscription }, body }),
      used: async () =>
        (await client.call(planRoutes.ownSubscriptions))
          .filter(({ state }) => state === 'active')
          .map(({ standings }) => standings[0]?.used ?? null),
    }
  }
  const renewAll = () => renewSubscriptions(world.ctx, new AbortController().signal, () => Promise.resolve())

  once('a plan without a price that is left for another and begun again goes on with what was used', async () => {
    const [plan, cheap] = [await aPlan(free), await aPlan({ name: 'Cheap', price: 1 })]
    const ann = await aUser()
    const first = await ann.buy(plan.id)
    expect(await ann.useUp(first)).toBe(3)
    await ann.upgrade(first, cheap.id)
    const again = await ann.buy(plan.id)
    expect(again).not.toBe(first)
    expect(await ann.useUp(again)).toBe(0)
    expect(await ann.used()).toEqual([3, null])
  })

  test('nor does it begin anew when its term ends, or when another plan changes to it', async () => {
    const [plan, cheap] = [await aPlan(free), await aPlan({ name: 'Cheap', price: 1 })]
    const ann = await aUser()
    await ann.useUp(await ann.buy(plan.id))
    clock.jump(11 * day * 1000)
    await renewAll()
    const second = await ann.buy(plan.id)
    expect(await ann.useUp(second)).toBe(0)
    const other = await ann.upgrade(second, cheap.id)
    await ann.change(other, { next_plan_id: plan.id, renews: true })
    clock.jump((10 * day - 30) * 1000)
    await renewAll()
    clock.jump(30_000)
    expect(await ann.used()).toEqual([3])
    expect(await ann.useUp(other)).toBe(0)
  })

  once('a user who may have it twice has its limits twice, however often it is begun', async () => {
    const [plan, cheap] = [
      await aPlan({ ...free, max_per_user: 2 }),
      await aPlan({ name: 'Cheap', price: 1, max_per_user: 9 }),
    ]
    const ann = await aUser()
    let served = 0
    for (let round = 0; round < 3; round += 1) {
      const both = [await ann.buy(plan.id), await ann.buy(plan.id)]
      for (const id of both) served += await ann.useUp(id)
      for (const id of both) await ann.upgrade(id, cheap.id)
    }
    expect(served).toBe(6)
  })

  test('a user who had it twice and begins it once goes on with the limits of which most is used', async () => {
    const [plan, cheap] = [
      await aPlan({ ...free, max_per_user: 2 }),
      await aPlan({ name: 'Cheap', price: 1, max_per_user: 2 }),
    ]
    const ann = await aUser()
    const [first, second] = [await ann.buy(plan.id), await ann.buy(plan.id)]
    expect([await ann.useUp(first, 2), await ann.useUp(second, 1)]).toEqual([2, 1])
    for (const id of [first, second]) await ann.upgrade(id, cheap.id)
    expect(await ann.useUp(await ann.buy(plan.id))).toBe(1)
  })

  once('what an operator or a code gives, and what is paid for again, begins anew', async () => {
    const [plan, paid] = [await aPlan(free), await aPlan({ ...free, name: 'Paid', price: 10, length: 1 })]
    const ann = await aUser()
    const dearer = await aPlan({ name: 'Dearer', price: 20, max_per_user: 9 })
    await ann.upgrade(await ann.buy(plan.id), dearer.id)
    const gift = await root.call(planRoutes.givePlan, { params: { id: plan.id }, body: { user_id: ann.id } })
    expect(await ann.useUp(gift.id)).toBe(3)
    await ann.upgrade(gift.id, dearer.id)
    const [key = ''] = await root.call(redemptionRoutes.createRedemptions, { body: { name: 'Gift', plan_id: plan.id } })
    await ann.client.call(redemptionRoutes.redeemCode, { body: { key } })
    const redeemed = (await ann.client.call(planRoutes.ownSubscriptions)).find(({ source }) => source === 'code')
    expect(await ann.useUp(redeemed?.id ?? 0)).toBe(3)
    expect(await ann.useUp(await ann.buy(paid.id))).toBe(3)
    clock.jump(2 * day * 1000)
    await renewAll()
    expect(await ann.useUp(await ann.buy(paid.id))).toBe(3)
  })

  test('a limit that never resets is used once in each term that is paid for, and goes on where a renewal costs nothing', async () => {
    const places = { name: 'Inside', measure: 'concurrent', limit: 1, span: 'always' }
    const windows = [...free.windows, places]
    const paid = await aPlan({ windows, name: 'Paid', price: 10, length: 1 })
    const costless = await aPlan({ windows, name: 'Costless', length: 1, price: 0, is_on_sale: true })
    const ann = await aUser()
    const [first, second] = [await ann.buy(paid.id, true), await ann.buy(costless.id, true)]
    expect([await ann.useUp(first), await ann.useUp(second)]).toEqual([3, 3])
    for (let term = 2; term < 4; term += 1) {
      clock.jump((day - 30) * 1000)
      await renewAll()
      expect([await ann.useUp(first), await ann.useUp(second)]).toEqual([3, 0])
      clock.jump(30_000)
      expect(await ann.used()).toEqual([3, 3])
    }
  })
})
