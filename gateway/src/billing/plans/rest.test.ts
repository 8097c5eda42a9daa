import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { planRoutes, role } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { WallClock } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { booksOf } from '../../../test/ledger'
import { aPeriod } from '../../../test/windows'
import { createWorld, type World } from '../../../test/world'
import { differencesIn } from '../../app/commands/differences'
import { planHandlers } from '../../console-api/plans/plans'
import { renewSubscriptions } from './renew'

const day = 86_400
const start = Date.parse('2026-03-01T12:00:00Z')
const aMonth = { name: 'Month', measure: 'quota', limit: 1000, span: 'month' }

describe.each(kinds)('the rest of a term (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let clock: WallClock
  let site: TestConsole
  let rootId: number
  beforeEach(async () => {
    clock = new WallClock(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, planHandlers)
    rootId = (await anAccount(world.ctx, { role: role.root })).id
  })
  afterEach(async () => {
    const { query } = world.ctx.database
    const found = await query.transaction().execute((transaction) => differencesIn(transaction, clock.seconds()))
    await world[Symbol.asyncDispose]()
    expect(found.filter(({ name = '' }) => !name.startsWith('seed:'))).toEqual([])
  })

  /** Signed in anew: sessions end before terms do. */
  const asRoot = async () => site.client(await site.signIn(rootId))
  const aPlan = async (fields: object = {}) =>
    (await asRoot()).call(planRoutes.createPlan, {
      body: planRoutes.PlanSettings.parse({ name: 'Pro', price: 3000, length: 30, unit: 'day', ...fields }),
    })
  /** Resolves with a user who has bought a plan, and a dearer one. */
  const aBuyer = async (windows: readonly object[], fields: object = {}) => {
    const plan = await aPlan({ windows, ...fields })
    const dearer = await aPlan({ name: 'Max', price: 9000 })
    const { id } = await anAccount(world.ctx, { quota: 50_000 })
    const client = site.client(await site.signIn(id))
    const bought = await client.call(planRoutes.buyPlan, { body: { plan_id: plan.id, renews: true } })
    const params = { params: { id: bought.id } }
    return {
      bought,
      use: (index: number, used: number, columns: object = {}) =>
        aPeriod(world.ctx.database, plan.windows[index]?.id ?? 0, {
          subject_id: bought.id,
          now: clock.seconds(),
          ends_at: clock.seconds() + 20 * day,
          seconds: 30 * day,
          capacity: 1000,
          used,
          ...columns,
        }),
      quote: () => client.call(planRoutes.upgradePrice, { ...params, query: { plan_id: dearer.id } }),
      upgrade: () => client.call(planRoutes.upgradePlan, { ...params, body: { plan_id: dearer.id } }),
      rest: async () => (await asRoot()).call(planRoutes.subscriptionRest, params),
      end: async () => (await asRoot()).call(planRoutes.endSubscription, { ...params, body: { returns_rest: true } }),
      free: async () => (await booksOf(world.ctx.database, id)).free,
    }
  }

  once('a user who used all of a month on its first day gets nothing of its price back', async () => {
    const ann = await aBuyer([aMonth])
    clock.jump(day * 1000)
    await ann.use(0, 1000)
    const rest = { rest: 0, rest_by_time: 2900, rest_by_use: { limit: 'Month', rest: 0 } }
    expect(await ann.rest()).toEqual(rest as never)
    expect(await ann.quote()).toEqual({ price: 9000, ...rest } as never)
    await ann.upgrade()
    expect(await ann.free()).toBe(50_000 - 3000 - 9000)
  })

  once('the smaller counts of what is left by time and by the limit of which least is unused', async () => {
    const ann = await aBuyer([aMonth, { ...aMonth, name: 'Calls', measure: 'requests' }])
    clock.jump(15 * day * 1000)
    await ann.use(0, 100)
    expect(await ann.rest()).toEqual({
      rest: 1500,
      rest_by_time: 1500,
      rest_by_use: { limit: 'Month', rest: 2700 },
    } as never)
    await ann.use(1, 800)
    expect(await ann.rest()).toMatchObject({ rest: 600, rest_by_use: { limit: 'Calls', rest: 600 } })
    await ann.end()
    expect(await ann.free()).toBe(50_000 - 3000 + 600)
  })

  test('a limit allows as much as all of its periods in the term; one shorter than a day does not count, nor do calls at the same time', async () => {
    const ann = await aBuyer([
      { ...aMonth, limit: 10, span: 'minute' },
      { ...aMonth, name: 'Inside', limit: 1, measure: 'concurrent', span: 'always' },
      { ...aMonth, name: 'Week', limit: 100, span: 'week' },
    ])
    await ann.use(0, 10, { capacity: 10, seconds: 60 })
    await ann.use(2, 100, { capacity: 100, seconds: 7 * day })
    expect(await ann.rest()).toMatchObject({
      rest: 2250,
      rest_by_time: 3000,
      rest_by_use: { limit: 'Week', rest: 2250 },
    })
  })

  once('what an earlier term used of a period does not count in the next one', async () => {
    const ann = await aBuyer([aMonth])
    await ann.use(0, 600, { ends_at: clock.seconds() + 40 * day, seconds: 60 * day })
    clock.jump((30 * day - 30) * 1000)
    await renewSubscriptions(world.ctx, new AbortController().signal, () => Promise.resolve())
    clock.jump(30_000)
    expect(await ann.rest()).toMatchObject({ rest: 3000, rest_by_use: { rest: 3000 } })
    await world.ctx.database.query.updateTable('window_periods').set({ free: 150 }).execute()
    expect(await ann.rest()).toMatchObject({ rest: 2250, rest_by_time: 3000, rest_by_use: { rest: 2250 } })
  })

  test('the rest of an upgraded plan is of its own price, also where the rest of another paid for it', async () => {
    const ann = await aBuyer([])
    const { id, price } = await ann.upgrade()
    expect([price as number, await ann.free()]).toEqual([9000, 50_000 - 9000])
    const root = await asRoot()
    await root.call(planRoutes.endSubscription, { params: { id }, body: { returns_rest: true } })
    expect(await ann.free()).toBe(50_000)
    const sums = (await root.call(planRoutes.listPlans)).map(({ name, revenue }) => [name, revenue])
    expect(sums).toEqual([
      ['Pro', 0],
      ['Max', 0],
    ] as never)
  })
})
