import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'
import { faults } from '@tollgate/simulator'

import { call } from './call'
import { chargeOf, until } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

setDefaultTimeout(120_000)
/** Longer than the first pause of a circuit breaker, with room for a busy machine. */
const patienceMs = 60_000

const models = ['two-channels', 'one-channel'] as const
type Model = (typeof models)[number]

let world: World
beforeAll(async () => {
  world = await aWorld({
    options: { RetryTimes: 1, ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const addChannel = (model: Model, key: string, priority = 0) =>
  world.console.addChannel({ name: key, key, base_url: world.simulator.url, models: model, priority })
const ask = (model: Model, text = 'hello') =>
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

  for (let turn = 0; turn < 5; turn += 1) expect(await channelOf(await ask(model))).toBe(spare)
  expect([seenBy('sk-failing'), await openBreakers(), await isHealthy(model, failing)]).toEqual([5, 1, false])
  const others = await Promise.all(Array.from({ length: 10 }, () => ask(model)))
  expect(others.every(({ status }) => status === 200)).toBe(true)
  // The pause is two seconds; on a busy machine a probe may have come in between.
  expect(seenBy('sk-failing')).toBeLessThanOrEqual(6)

  heal()
  const well = Promise.withResolvers<void>()
  world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', { gate: () => well.promise })
  const before = seenBy('sk-failing')
  const probes: ReturnType<typeof ask>[] = []
  const isProbed = await until(
    async () => {
      probes.push(ask(model, 'probe'))
      await Promise.race([probes.at(-1), Bun.sleep(25)])
      return seenBy('sk-failing') > before
    },
    (isProbed) => isProbed,
    patienceMs,
  )
  expect(isProbed).toBe(true)
  const beside = await Promise.all(Array.from({ length: 20 }, () => ask(model, 'beside the probe')))
  for (const answered of beside) expect(answered.status).toBe(200)
  expect([seenBy('sk-failing') - before, await openBreakers()]).toEqual([1, 1])

  well.resolve()
  await Promise.all(probes)
  expect([await openBreakers(), await isHealthy(model, failing)]).toEqual([0, true])
  for (let turn = 0; turn < 5; turn += 1) expect(await channelOf(await ask(model))).toBe(failing)
})

test('the only channel is still tried while it fails, so that it serves as soon as it recovers', async () => {
  const model = 'one-channel'
  const id = await addChannel(model, 'sk-only')
  const heal = world.simulator.when(({ apiKey }) => apiKey === 'sk-only', faults['status-503'])
  for (let turn = 0; turn < 8; turn += 1) expect((await ask(model)).status).toBe(502)
  expect([seenBy('sk-only'), await openBreakers()]).toEqual([8, 1])
  heal()
  expect(await channelOf(await ask(model))).toBe(id)
  expect([await openBreakers(), await isHealthy(model, id)]).toEqual([0, true])
})
