import { afterAll, beforeAll, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { aWindow } from '../../test/windows'
import type { PlanRow } from '../platform/store/tables'
import { beginSubscription } from '../billing/plans/subscription'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let plans = 0
/** Resolves with the key of a user of this balance who runs a plan of this many calls. */
async function aSubscriber(quota: number, calls: number, columns: Partial<PlanRow> = {}) {
  const { database } = world.ctx
  const { query } = database
  const plan = await query
    .insertInto('plans')
    .values({
      name: `Plan ${(plans += 1)}`,
      price: 0,
      length: 1,
      unit: 'month',
      preference: 'plan_first',
      created_at: 1,
      deleted_at: null,
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await aWindow(database, plan.id, { owner: 'plan', name: 'Calls', limit_amount: calls })
  const userId = await world.addUser(quota)
  await query
    .transaction()
    .execute((transaction) => beginSubscription(world.ctx, transaction, { userId, plan, source: 'admin', paid: 0 }))
  return { userId, key: await world.addToken(userId), plan: plan.name }
}
const statuses = async (key: string, count: number, body: object = {}) => {
  const found: number[] = []
  for (let call = 0; call < count; call += 1) found.push((await world.chat(body, { key })).status)
  return found
}
const rich = 1_000_000
/** Resolves with which plans paid for the calls of a user, the first first; null: the wallet. */
const payersOf = async (userId: number, count: number) =>
  (await world.chargesOf(userId, count))
    .toSorted((one, other) => one.id - other.id)
    .map(({ other }) => readLogDetails(other).plan ?? null)

test('the plan pays first, then the wallet', async () => {
  const { userId, key, plan } = await aSubscriber(rich, 2)
  expect(await statuses(key, 3)).toEqual([200, 200, 200])
  expect(await payersOf(userId, 3)).toEqual([plan, plan, null])
  const [last] = (await world.chargesOf(userId, 3)).toSorted((one, other) => other.id - one.id)
  expect(await world.balanceOf(userId)).toBe(rich - (last?.quota ?? NaN))
})

test('an empty wallet does not stop what a plan pays for, and a plan alone stops when it is used up', async () => {
  const { key } = await aSubscriber(0, 1)
  expect(await statuses(key, 2)).toEqual([200, 429])
  const only = await aSubscriber(rich, 1, { preference: 'plan_only' })
  expect(await statuses(only.key, 2)).toEqual([200, 429])
  expect(await world.balanceOf(only.userId)).toBe(rich)
})

test('the wallet pays first where the user prefers that', async () => {
  const { userId, key, plan } = await aSubscriber(60, 5, { preference: 'wallet_first' })
  await statuses(key, 4, { max_tokens: 9 })
  const payers = await payersOf(userId, 4)
  expect([payers[0], payers[3]]).toEqual([null, plan])
})

test('a plan pays for its models and in its groups, and before its end, alone', async () => {
  const mini = await aSubscriber(rich, 9, { models: 'gpt-4o-mini\nclaude-*' })
  await statuses(mini.key, 1)
  await statuses(mini.key, 1, { model: 'gpt-4o-mini' })
  expect(await payersOf(mini.userId, 2)).toEqual([null, mini.plan])
  const vip = await aSubscriber(rich, 9, { groups: 'vip' })
  await statuses(vip.key, 1)
  expect(await payersOf(vip.userId, 1)).toEqual([null])
  const past = await aSubscriber(rich, 9)
  await world.ctx.database.query
    .updateTable('subscriptions')
    .set({ ends_at: 2 })
    .where('user_id', '=', past.userId)
    .execute()
  await statuses(past.key, 1)
  expect(await payersOf(past.userId, 1)).toEqual([null])
})

test('a term that was renewed a little early pays for the calls before its beginning', async () => {
  const { userId, key, plan } = await aSubscriber(rich, 9, { preference: 'plan_only' })
  const { query } = world.ctx.database
  const startsAt = world.ctx.clock.seconds() + 30
  await query.updateTable('subscriptions').set({ starts_at: startsAt }).where('user_id', '=', userId).execute()
  expect(await statuses(key, 1)).toEqual([200])
  expect(await payersOf(userId, 1)).toEqual([plan])
})

test('work in the background is held from the plan and charged to it', async () => {
  const { userId, key, plan } = await aSubscriber(0, 1)
  const response = await world.post('/v1/responses', { model: 'gpt-4o', input: 'hello', background: true }, { key })
  expect(response.status).toBe(200)
  expect(await payersOf(userId, 1)).toEqual([plan])
  expect(
    (await world.post('/v1/responses', { model: 'gpt-4o', input: 'hello', background: true }, { key })).status,
  ).toBe(429)
})
