import { afterAll, beforeAll, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'
import { faults } from '@tollgate/simulator'

import { WallClock } from '../../../test/fake-time'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { lockPrices, storePrices } from '../../billing/pricing/price-store'
import { modelName } from '../../channels/catalog/channel-keys'

const periodMs = 5_000
const clock = new WallClock(Date.parse('2026-11-23T12:00:00Z'))
let world: RelayWorld
let [dear, cheap] = [0, 0]
beforeAll(async () => {
  world = await createRelayWorld({ clock })
  dear = await world.addChannel({ models: 'kite-1', group: 'apart' })
  cheap = await world.addChannel({ models: 'kite-1', group: 'apart' })
  const { ctx } = world
  const entries = [
    { channelId: 0, model: 'kite-1', entry: { prices: { input: 4, output: 4 } } },
    { channelId: cheap, model: 'kite-1', entry: { prices: { input: 1, output: 1 } } },
  ]
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, entries, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
})
afterAll(() => world[Symbol.asyncDispose]())

async function runCall(stream = false) {
  const key = await world.addToken(await world.addUser(1_000_000, { group: 'apart' }))
  await (await world.chat({ model: 'kite-1', stream }, { key })).text()
  const row = (await world.logs()).at(-1)
  return { channel: row?.channel_id, chosenBy: readLogDetails(row?.other ?? '').admin_info?.chosen_by }
}
const speedAt = (channel: number) => {
  clock.jump(periodMs)
  const { speeds } = world.ctx.health.standings
  expect(speeds.period).toBeGreaterThan(0)
  return speeds.current(modelName(channel, 'kite-1'))
}

test('the cheapest channel serves where the strategy says so, an unknown cost counts as the sale price, and the row says why', async () => {
  expect((await runCall()).chosenBy).toBeUndefined()
  expect(speedAt(cheap)).toBeNull()
  await world.setOptions({ RoutingStrategies: '[{"model":"kite-*","strategy":"cheapest"}]' })
  const rows = [await runCall(), await runCall(), await runCall(true)]
  for (const { channel, chosenBy } of rows)
    if (chosenBy?.basis === 'score')
      expect([channel, chosenBy.strategy, chosenBy.score]).toEqual([cheap, 'cheapest', 1])
  expect(rows.some(({ channel }) => channel === cheap)).toBe(true)
})

test('answers and failures tell how fast a channel is', async () => {
  await world.setOptions({ RoutingStrategies: '[{"model":"kite-*","strategy":"cheapest"}]' })
  await world.changeChannel(dear, { status: 2 })
  for (let call = 0; call < 3; call += 1) await runCall(true)
  const before = speedAt(cheap)
  expect(before?.responses).toBeGreaterThanOrEqual(3)
  expect(before?.startMs).not.toBeNull()
  expect(before?.tokenMs).not.toBeNull()
  world.simulator.next(faults['status-500'])
  await runCall()
  const after = speedAt(cheap)
  expect(after?.responses).toBe(before?.responses ?? 0)
  expect(after?.startMs).toBeGreaterThan(before?.startMs ?? Infinity)
})
