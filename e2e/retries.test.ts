import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { faults } from '@tollgate/simulator'

import { call } from './call'
import { until } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

setDefaultTimeout(120_000)

const model = 'everyone-is-down'
const allChannels = 6
const calls = 200
/** All calls begin at once, so the outage lasts no longer than this. */
const timeoutSeconds = 50
const timeout = { timeoutMs: timeoutSeconds * 1000 }

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { RetryTimes: allChannels, ModelRatio: { [model]: 1 } } })
  for (let channel = 0; channel < allChannels; channel += 1) {
    const fields = { key: 'sk-down', base_url: world.simulator.url, models: model, priority: channel % 3 }
    await world.console.addChannel({ name: `down ${channel}`, ...fields })
  }
  world.simulator.when(({ apiKey }) => apiKey === 'sk-down', faults['status-500'])
})
afterAll(() => world[Symbol.asyncDispose]())

const retries = (outcome: string) => metricOf(world.gateway, `tollgate_retries_total{outcome="${outcome}"}`)

test('an outage of all upstreams is not multiplied: retries are limited to a fifth of the calls and a small reserve', async () => {
  const body = { model, messages: [{ role: 'user', content: 'hello' }] }
  // Until each has failed once there is nothing against it, and the call tries them all.
  expect((await call(world.gateway, world.key, body, timeout)).status).toBe(502)
  expect(world.simulator.requests).toHaveLength(allChannels)
  const before = await retries('made')
  const responses = await Promise.all(
    Array.from({ length: calls }, () => call(world.gateway, world.key, body, timeout)),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([502]))

  const attempts = world.simulator.requests.length - allChannels
  const retried = (await retries('made')) - before
  expect(attempts).toBe(calls + retried)
  // The reserve of ten regains one a second. Without a budget there would be a thousand.
  expect(retried).toBeWithin(10, 10 + timeoutSeconds + calls / 5 + 1)
  // Each call went on until the budget refused it, except for the few that had already tried every channel.
  const exhausted = Math.floor(retried / (allChannels - 1))
  expect(await retries('refused')).toBeWithin(calls - exhausted, calls + 1)

  expect(await metricOf(world.gateway, 'tollgate_charges_total')).toBe(0)
  const reserved = await until(
    () => metricOf(world.gateway, 'tollgate_reserved_quota'),
    (quota) => quota === 0,
  )
  expect(reserved).toBe(0)
})

test('calls succeed again after the outage', async () => {
  world.simulator.reset()
  const body = { model, messages: [{ role: 'user', content: 'hello' }] }
  const responses = await Promise.all(Array.from({ length: 20 }, () => call(world.gateway, world.key, body)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(world.simulator.requests).toHaveLength(20)
})
