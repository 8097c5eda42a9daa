import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { accountRoutes, ApiError, planRoutes, redemptionRoutes, role, type UserId } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { aCharge, booksOf } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { differencesIn } from '../../app/commands/differences'
import { jobsOf } from '../../app/jobs/job-table'
import { plansOfUser } from '../../billing/plans/account-plans'
import { limitWindow } from '../../billing/ledger/window/read-windows'
import { redeemHandlers, redemptionHandlers } from '../redemption-codes/redemption-codes'
import { selfHandlers } from '../account/account'
import { planHandlers } from './plans'

const start = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400

describe.each(kinds)('plans (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let clock: WallClock
  let site: TestConsole
  let root: ReturnType<TestConsole['client']>
  beforeEach(async () => {
    clock = new WallClock(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...planHandlers, ...selfHandlers, ...redemptionHandlers, ...redeemHandlers])
    root = site.client(await site.signIn((await anAccount(world.ctx, { role: role.root })).id))
  })
  afterEach(async () => {
    const { query } = world.ctx.database
    const found = await query.transaction().execute((transaction) => differencesIn(transaction, clock.seconds()))
    await world[Symbol.asyncDispose]()
    // Accounts of tests begin with quota that has no cause.
    expect(found.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })

  const aPlan = (fields: object = {}) =>
    root.call(planRoutes.createPlan, {
      body: planRoutes.PlanSettings.parse({ name: 'Pro', price: 1000, length: 10, unit: 'day', ...fields }),
    })
  const aUser = async (quota = 5000) => {
    const { id } = await anAccount(world.ctx, { quota })
    const client = site.client(await site.signIn(id))
    return {
      id: id as UserId,
      client,
      buy: (plan_id: number, renews = false) => client.call(planRoutes.buyPlan, { body: { plan_id, renews } }),
      free: async () => (await booksOf(world.ctx.database, id)).free,
      subscriptions: () => client.call(planRoutes.ownSubscriptions),
    }
  }
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    )
  const renewAll = async () => {
    const job = jobsOf(world.ctx).find(({ name }) => name === 'renew-plans')
    await job?.run(new AbortController().signal)
  }
  const noticesOf = async (userId: number) =>
    (
      await world.ctx.database.query
        .selectFrom('messages')
        .innerJoin('message_receipts', 'message_receipts.message_id', 'messages.id')
        .select('messages.kind')
        .where('message_receipts.user_id', '=', userId)
        .execute()
    ).map(({ kind: name }) => name)

  test('a plan is bought from the wallet, once in a term for each user, and ends', async () => {
    const plan = await aPlan()
    const ann = await aUser()
    expect(await ann.client.call(planRoutes.plansOnSale)).toEqual([plan])
    const bought = await ann.buy(plan.id)
    expect(bought).toMatchObject({
      plan_name: 'Pro',
      state: 'active',
      source: 'wallet',
      price: 1000,
      ends_at: start / 1000 + 10 * day,
      renews: false,
    })
    expect(await ann.free()).toBe(4000)
    expect(await codeOf(ann.buy(plan.id))).toBe('plan.user_limit')
    expect(await ann.free()).toBe(4000)
    clock.jump(10 * day * 1000)
    await renewAll()
    expect(await ann.subscriptions()).toMatchObject([{ id: bought.id, state: 'ended' }])
    expect(await noticesOf(ann.id)).toEqual(['plan-ended'])
    expect(await codeOf(ann.buy(plan.id))).toBe('ok')
    expect(await ann.free()).toBe(3000)
  })

  once('a wallet that does not cover it buys nothing, and a plan that is off sale is not sold', async () => {
    const plan = await aPlan()
    const poor = await aUser(999)
    expect(await codeOf(poor.buy(plan.id))).toBe('quota.user')
    expect([await poor.free(), await poor.subscriptions()]).toEqual([999, []])
    const hidden = await aPlan({ name: 'Hidden', is_on_sale: false })
    expect(await codeOf((await aUser()).buy(hidden.id))).toBe('plan.not_on_sale')
    expect(await codeOf(poor.buy(4711))).toBe('plan.none')
  })

  test('an account has plans while one is on sale, and for good once it had a subscription', async () => {
    const [buyer, other] = [await aUser(), await aUser()]
    const hasPlans = async ({ client }: typeof buyer) => (await client.call(accountRoutes.getSelf)).has_plans
    expect(await hasPlans(buyer)).toBe(false)
    const plan = await aPlan()
    expect([await hasPlans(buyer), await hasPlans(other)]).toEqual([true, true])
    await buyer.buy(plan.id)
    const body = planRoutes.PlanSettings.parse({ ...plan, is_on_sale: false })
    await root.call(planRoutes.updatePlan, { params: { id: plan.id }, body })
    expect([await hasPlans(buyer), await hasPlans(other)]).toEqual([true, false])
  })

  test('ten purchases at the same time take one price', async () => {
    const plan = await aPlan()
    const ann = await aUser()
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => codeOf(ann.buy(plan.id))))
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1)
    expect([await ann.free(), (await ann.subscriptions()).length]).toEqual([4000, 1])
  })

  test('it renews itself from the wallet without a gap, and ends when the wallet does not cover it', async () => {
    const plan = await aPlan()
    const ann = await aUser(2500)
    const bought = await ann.buy(plan.id, true)
    clock.jump((10 * day - 30) * 1000)
    await Promise.all([renewAll(), renewAll()])
    expect(await ann.subscriptions()).toMatchObject([
      { state: 'active', starts_at: bought.ends_at, ends_at: bought.ends_at + 10 * day },
    ])
    expect(await ann.free()).toBe(500)
    clock.jump((10 * day - 30) * 1000)
    await renewAll()
    expect(await ann.subscriptions()).toMatchObject([{ state: 'active' }])
    clock.jump(60_000)
    await renewAll()
    expect(await ann.subscriptions()).toMatchObject([{ state: 'ended' }])
    expect(await noticesOf(ann.id)).toEqual(['plan-not-renewed'])
    expect(await ann.free()).toBe(500)
  })

  once('an upgrade counts the rest of the term in; a cheaper plan begins with the next term', async () => {
    const small = await aPlan()
    const large = await aPlan({ name: 'Max', price: 3000 })
    const ann = await aUser(10_000)
    const bought = await ann.buy(small.id, true)
    clock.jump(5 * day * 1000)
    const to = { params: { id: String(bought.id) }, query: { plan_id: String(large.id) } }
    expect(await ann.client.call(planRoutes.upgradePrice, to as never)).toEqual({
      price: 2500,
      rest: 500,
      rest_by_time: 500,
      rest_by_use: null,
    } as never)
    const upgraded = await ann.client.call(planRoutes.upgradePlan, {
      params: { id: bought.id },
      body: { plan_id: large.id },
    })
    expect(upgraded).toMatchObject({ plan_name: 'Max', state: 'active', price: 3000, renews: true })
    expect(await ann.free()).toBe(6500)
    const change = (body: object) =>
      ann.client.call(planRoutes.changeSubscription, { params: { id: upgraded.id }, body })
    const asDear = await aPlan({ name: 'Twin', price: 3000 })
    for (const { id } of [small, asDear]) {
      const refused = ann.client.call(planRoutes.upgradePlan, { params: { id: upgraded.id }, body: { plan_id: id } })
      expect(await codeOf(refused)).toBe('plan.not_dearer')
    }
    await change({ next_plan_id: small.id })
    clock.jump(10 * day * 1000)
    await renewAll()
    expect((await ann.subscriptions())[0]).toMatchObject({ plan_name: 'Pro', price: 1000, next_plan_id: 0 })
    expect(await ann.free()).toBe(5500)
  })

  test('an operator gives a plan and ends one, with the rest of its price where that is wanted', async () => {
    const plan = await aPlan()
    const ann = await aUser()
    const give = () => root.call(planRoutes.givePlan, { params: { id: plan.id }, body: { user_id: ann.id } })
    const end = (id: number, returns_rest: boolean) =>
      codeOf(root.call(planRoutes.endSubscription, { params: { id }, body: { returns_rest } }))
    const subscription = await give()
    expect(subscription).toMatchObject({ source: 'admin', price: 0, user_id: ann.id })
    expect(await end(subscription.id, true)).toBe('ok')
    expect(await end(subscription.id, true)).toBe('subscription.ended')
    expect(await ann.free()).toBe(5000)
    const bought = await ann.buy(plan.id)
    clock.jump(2.5 * day * 1000)
    expect(await end(bought.id, true)).toBe('ok')
    expect(await ann.free()).toBe(4750)
    expect(await root.call(planRoutes.listPlans)).toMatchObject([{ active: 0, sold: 2, revenue: 250 }])
    const listed = await root.call(planRoutes.listSubscriptions, { query: {} })
    expect(listed.items.map(({ user_id, price, paid, used }) => ({ user_id, price, paid, used }))).toEqual([
      { user_id: ann.id, price: 1000, paid: 250, used: 0 },
      { user_id: ann.id, price: 0, paid: 0, used: 0 },
    ] as never)
  })

  test('a code begins a plan for the user who redeems it, as often as the user may run it', async () => {
    const plan = await aPlan({ is_on_sale: false })
    const create = (plan_id: number) =>
      root.call(redemptionRoutes.createRedemptions, { body: { name: 'Gift', plan_id, count: 2 } })
    expect(await codeOf(create(4711))).toBe('plan.none')
    const [first = '', second = ''] = await create(plan.id)
    const [listed] = (await root.call(redemptionRoutes.listRedemptions, { query: {} })).items
    expect(listed).toMatchObject({ kind: 'plan', plan: 'Pro', plan_id: plan.id, quota: 0 })
    const ann = await aUser()
    const redeem = (key: string) => ann.client.call(redemptionRoutes.redeemCode, { body: { key } })
    expect(await redeem(first)).toEqual({
      quota: 0,
      is_gift: false,
      plan: 'Pro',
      ends_at: start / 1000 + 10 * day,
    })
    expect(await codeOf(redeem(second))).toBe('plan.user_limit')
    expect(await ann.subscriptions()).toMatchObject([{ source: 'code', price: 0, state: 'active' }])
    expect(await ann.free()).toBe(5000)
    clock.jump(11 * day * 1000)
    await renewAll()
    expect(await codeOf(redeem(second))).toBe('ok')
  })

  once('calls that a plan pays for leave the wallet as it was, and the books in balance', async () => {
    const plan = await aPlan({
      windows: [{ name: 'Month', measure: 'quota', limit: 300, span: 'month' }],
    })
    const ann = await aUser()
    const { id } = await ann.buy(plan.id)
    const { ledger, database } = world.ctx
    const [running] = await plansOfUser(database.query, ann.id)
    if (!running) throw new Error('No plan')
    const windows = running.windows.map((row) => limitWindow(row, id, 'UTC')).filter((window) => window !== null)
    const payer = { userId: ann.id, tokenId: 0, isTokenLimited: false, subscriptionId: id, windows }
    const entry = { userId: ann.id, createdAt: clock.seconds() }
    for (const cost of [100, 150])
      await ledger.charge(await ledger.reserve(`call-${kind}-${cost}`, payer, cost), aCharge(cost, entry))
    expect(await ledger.reserve('no more', payer, 60).catch((error: { code: string }) => error.code)).toBe(
      'quota.window',
    )
    await ledger.hold({ id: `held-${kind}`, payer, amount: 50 }, async () => null)
    await database.query
      .transaction()
      .execute((transaction) => ledger.settleHold(`held-${kind}`, aCharge(20, entry), transaction))
    await ledger.waitUntilApplied()
    const books = await booksOf(database, ann.id)
    expect(books).toMatchObject({ free: 4000, used: 270, charged: 270, held: 0 })
    expect(books.credited).toBe(books.free + books.used)
    expect(await ann.subscriptions()).toMatchObject([{ standings: [{ name: 'Month', used: 270, remaining: 30 }] }])
    expect(await root.call(planRoutes.listPlans)).toMatchObject([{ active: 1, used: 270 }])
  })

  once.each([
    ['plan.name', { name: ' ' }],
    ['plan.name', { name: 'Taken' }],
    ['plan.price', { price: -1 }],
    ['plan.price', { price: 0.5 }],
    ['plan.price', { price: 1e16 }],
    ['plan.length', { length: 0 }],
    ['plan.length', { length: 121 }],
    ['plan.models', { models: ['gpt-*-mini'] }],
    ['plan.group', { groups: ['no-such-group'] }],
    ['plan.max_per_user', { max_per_user: 0 }],
    ['window.span', { windows: [{ name: 'Cap', measure: 'quota', limit: 5, span: 'call' }] }],
    ['window.limit', { windows: [{ name: 'Day', measure: 'requests', limit: 0, span: 'day' }] }],
  ])('%s is told of %j, and nothing is saved', async (code, fields) => {
    const taken = await aPlan({ name: 'Taken' })
    expect(await codeOf(aPlan(fields))).toBe(code)
    expect(
      await codeOf(
        root.call(planRoutes.updatePlan, {
          params: { id: taken.id },
          body: planRoutes.PlanSettings.parse({ ...taken, ...fields }),
        }),
      ),
    ).toBe('name' in fields && fields.name === 'Taken' ? 'ok' : code)
    expect((await root.call(planRoutes.listPlans)).map(({ name }) => name)).toEqual(['Taken'])
  })

  once('a plan that is running cannot be deleted; its windows are changed for those who run it', async () => {
    const plan = await aPlan({ windows: [{ name: 'Day', measure: 'requests', limit: 5, span: 'day' }] })
    const ann = await aUser()
    await ann.buy(plan.id)
    const remove = () => codeOf(root.call(planRoutes.deletePlan, { params: { id: plan.id } }))
    expect(await remove()).toBe('plan.running')
    const [window] = plan.windows
    await root.call(planRoutes.updatePlan, {
      params: { id: plan.id },
      body: { ...plan, id: undefined, windows: [{ ...window, limit: 9 }] },
    } as never)
    expect(await ann.subscriptions()).toMatchObject([{ standings: [{ limit: 9, remaining: 9 }] }])
    clock.jump(11 * day * 1000)
    await renewAll()
    expect(await remove()).toBe('ok')
    expect(await world.ctx.database.query.selectFrom('windows').selectAll().execute()).toEqual([])
  })
})
