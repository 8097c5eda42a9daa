import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'
import { faults } from '@tollgate/simulator'

import { createClock } from '../gateway/src/platform/time/clock'
import { call } from './call'
import { chargeOf } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

setDefaultTimeout(120_000)
/** Longer than the first pause of a circuit breaker. */
const pauseMs = 5000

const models = ['two-channels', 'one-channel'] as const
type Model = (typeof models)[number]

/** Stands still until a test moves it. */
let monotonic = 0
const clock = createClock(
  () => Date.now(),
  () => monotonic,
)

let world: World
beforeAll(async () => {
  world = await aWorld({
    gateway: { clock },
    options: { RetryTimes: 1, ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const addChannel = (model: Model, key: string, priority = 0) =>
  world.console.addChannel({ name: key, key, base_url: world.simulator.url, models: model, priority })
const send = (model: Model, text = 'hello') =>
  call(
    world.gateway,
    world.key,
    { model, stream: true, messages: [{ role: 'user', content: text }] },
    { timeoutMs: 30_000 },
  )
const seenBy = (key: string) => world.simulator.requests.filter(({ apiKey }) => apiKey === key).length
const openBreakers = () => metricOf(world.gateway, 'tollgate_breakers_open')
const channelOf = async ({ requestId }: { requestId: string }) => (await chargeOf(world.console, requestId)).channel

const isHealthy = async (model: Model, id: number) => {
  const { tiers } = await world.console.call(channelRoutes.explainRoute, { query: { group: 'default', model } })
  return tiers.flatMap(({ channels }) => channels).find((channel) => channel.id === id)?.is_healthy
}

test('a failing channel is skipped, probed by one call at a time, and back in use once a probe succeeds', async () => {
  const model = 'two-channels'
  const failing = await addChannel(model, 'sk-failing', 5)
  const spare = await addChannel(model, 'sk-spare')
  const heal = world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', faults['status-503'])

  for (let turn = 0; turn < 5; turn += 1) expect(await channelOf(await send(model))).toBe(spare)
  expect([seenBy('sk-failing'), await openBreakers(), await isHealthy(model, failing)]).toEqual([5, 1, false])
  const others = await Promise.all(Array.from({ length: 10 }, () => send(model)))
  expect(others.every(({ status }) => status === 200)).toBe(true)
  expect(seenBy('sk-failing')).toBe(5)

  heal()
  const well = Promise.withResolvers<void>()
  world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', { gate: () => well.promise })
  expect(await channelOf(await send(model))).toBe(spare)
  monotonic += pauseMs
  const arrived = world.simulator.arrival(world.simulator.requests.length + 1)
  const probe = send(model, 'probe')
  await arrived
  expect(seenBy('sk-failing')).toBe(6)
  const concurrent = await Promise.all(Array.from({ length: 20 }, () => send(model, 'beside the probe')))
  for (const response of concurrent) expect(response.status).toBe(200)
  expect([seenBy('sk-failing'), await openBreakers()]).toEqual([6, 1])

  well.resolve()
  await probe
  expect([await openBreakers(), await isHealthy(model, failing)]).toEqual([0, true])
  for (let turn = 0; turn < 5; turn += 1) expect(await channelOf(await send(model))).toBe(failing)
})

test('the only channel is still tried while it fails, so that it serves as soon as it recovers', async () => {
  const model = 'one-channel'
  const id = await addChannel(model, 'sk-only')
  const heal = world.simulator.when(({ apiKey }) => apiKey === 'sk-only', faults['status-503'])
  for (let turn = 0; turn < 8; turn += 1) expect((await send(model)).status).toBe(502)
  expect([seenBy('sk-only'), await openBreakers()]).toEqual([8, 1])
  heal()
  expect(await channelOf(await send(model))).toBe(id)
  expect([await openBreakers(), await isHealthy(model, id)]).toEqual([0, true])
})
