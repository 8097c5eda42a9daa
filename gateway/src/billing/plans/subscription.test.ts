import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { CompiledQuery } from 'kysely'

import { ApiError, planRoutes, redemptionRoutes, role, userStatus } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { eventually } from '../../../test/eventually'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { createWorld, type World } from '../../../test/world'
import { differencesIn } from '../../app/commands/differences'
import { jobsOf } from '../../app/jobs/job-table'
import { planHandlers } from '../../console-api/plans/plans'
import { redeemHandlers, redemptionHandlers } from '../../console-api/redemption-codes/redemption-codes'
import { AppError } from '../../platform/app-error'
import { renewSubscriptions } from './renew'
import { beginSubscription, endSubscription, findPlan, restReturned } from './subscription'

const start = Date.parse('2026-03-01T12:00:00Z')
const day = 86_400
const signal = new AbortController().signal

describe.each(kinds)('subscriptions (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let clock: WallClock
  let site: TestConsole
  let root: ReturnType<TestConsole['client']>
  beforeEach(async () => {
    clock = new WallClock(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, [...planHandlers, ...redemptionHandlers, ...redeemHandlers])
    root = site.client(await site.signIn((await anAccount(world.ctx, { role: role.root })).id))
  })
  afterEach(async () => {
    const { query } = world.ctx.database
    const found = await query.transaction().execute((transaction) => differencesIn(transaction, clock.seconds()))
    await world[Symbol.asyncDispose]()
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
      id,
      client,
      buy: (plan_id: number, renews = false) => client.call(planRoutes.buyPlan, { body: { plan_id, renews } }),
      change: (subscriptionId: number, body: object) =>
        client.call(planRoutes.changeSubscription, { params: { id: subscriptionId }, body }),
      free: async () => (await booksOf(world.ctx.database, id)).free,
      subscriptions: () => client.call(planRoutes.ownSubscriptions),
    }
  }
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: unknown) => (error instanceof ApiError || error instanceof AppError ? error.code : error),
    )
  const renewAll = async () => {
    const job = jobsOf(world.ctx).find(({ name }) => name === 'renew-plans')
    await job?.run(signal)
  }
  const removePlan = (id: number) => root.call(planRoutes.deletePlan, { params: { id } })
  const inTransaction = () => world.ctx.database.query.transaction()

  once('none begins of a plan that was deleted after it was read', async () => {
    const { id } = await aPlan()
    const ann = await aUser()
    const plan = await findPlan(world.ctx.database.query, id)
    await removePlan(id)
    const beginning = inTransaction().execute((transaction) =>
      beginSubscription(world.ctx, transaction, { userId: ann.id, plan, source: 'wallet', paid: 1000 }),
    )
    expect(await codeOf(beginning)).toBe('plan.none')
    expect(await ann.free()).toBe(5000)
  })

  test('a plan that is bought while it is deleted is either bought or deleted', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await aPlan({ name: `Pro ${round}` })
      const ann = await aUser()
      const outcomes = await Promise.all([codeOf(ann.buy(id)), codeOf(removePlan(id))])
      expect([
        ['ok', 'plan.running'],
        ['plan.none', 'ok'],
      ]).toContainEqual(outcomes as string[])
    }
  })

  once('the next plan of a subscription begins no more often than a user may run it', async () => {
    const scarce = await aPlan({ name: 'Scarce', price: 10 })
    const plain = await aPlan({ price: 20, max_per_user: 3 })
    const ann = await aUser()
    for (let count = 0; count < 3; count += 1)
      await ann.change((await ann.buy(plain.id, true)).id, { next_plan_id: scarce.id })
    clock.jump((10 * day - 30) * 1000)
    await renewAll()
    clock.jump(60_000)
    await renewAll()
    const names = (await ann.subscriptions()).map(({ plan_name, state }) => `${plan_name} ${state}`)
    expect(names.toSorted()).toEqual(['Pro ended', 'Pro ended', 'Scarce active'])
    expect(await ann.free()).toBe(5000 - 3 * 20 - 10)
  })

  once('a gift that is not sold ends after its term, whatever its owner asks for', async () => {
    const gift = await aPlan({ name: 'Gift', price: 0, is_on_sale: false })
    const ann = await aUser()
    const [key = ''] = await root.call(redemptionRoutes.createRedemptions, {
      body: { name: 'Gift', plan_id: gift.id, count: 1 },
    })
    await ann.client.call(redemptionRoutes.redeemCode, { body: { key } })
    const [subscription] = await ann.subscriptions()
    expect(await codeOf(ann.change(subscription?.id ?? 0, { renews: true }))).toBe('plan.not_on_sale')
    await world.ctx.database.query.updateTable('subscriptions').set({ renews: 1 }).execute()
    clock.jump(10 * day * 1000)
    await renewAll()
    expect(await ann.subscriptions()).toMatchObject([{ state: 'ended' }])
  })

  once.each([{ status: userStatus.disabled }, { deleted_at: 1 }])(
    'nobody with %j pays for a next term',
    async (change) => {
      const { id } = await aPlan()
      const ann = await aUser()
      await ann.buy(id, true)
      await world.ctx.database.query.updateTable('users').set(change).where('id', '=', ann.id).execute()
      clock.jump(10 * day * 1000)
      await renewAll()
      const ended = await world.ctx.database.query.selectFrom('subscriptions').selectAll().execute()
      expect(ended).toMatchObject([{ state: 'ended' }])
      expect(await ann.free()).toBe(4000)
    },
  )

  test('a term that was renewed meanwhile is not ended by a worker that read it before', async () => {
    const plan = await aPlan()
    const ann = await aUser(2000)
    await ann.buy(plan.id, true)
    clock.jump(10 * day * 1000)
    const onEnd = () => Promise.resolve()
    await Promise.all(Array.from({ length: 4 }, () => renewSubscriptions(world.ctx, signal, onEnd)))
    expect(await ann.subscriptions()).toMatchObject([{ state: 'active', starts_at: start / 1000 + 10 * day }])
    expect(await ann.free()).toBe(0)
  })

  test('ends with the rest of its price while a charge of the same user is applied', async () => {
    const plan = await aPlan()
    const ann = await aUser()
    const { id } = await ann.buy(plan.id)
    const { ctx } = world
    const end = () =>
      inTransaction().execute((transaction) =>
        endSubscription(ctx, transaction, { id }, restReturned(ctx, transaction, 'rest')),
      )
    const waiting = CompiledQuery.raw(
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    const { ending } = await inTransaction().execute(async (charging) => {
      // As where charges are applied: the user first, then the subscription.
      const { id: userId } = ann
      await charging
        .updateTable('users')
        .set((eb) => ({ request_count: eb.ref('request_count') }))
        .where('id', '=', userId)
        .execute()
      const ending = end().catch((error: unknown) => error)
      if (kind === 'postgres')
        await eventually(async () => (await ctx.database.query.executeQuery(waiting)).rows[0] ?? null)
      await charging
        .updateTable('subscriptions')
        .set((eb) => ({ used: eb.ref('used') }))
        .where('id', '=', id)
        .execute()
      return { ending }
    })
    expect(await ending).toMatchObject({ id, state: 'ended' })
    expect(await ann.free()).toBe(5000)
  })
})
