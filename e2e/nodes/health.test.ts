import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'
import { faults } from '@tollgate/simulator'

import { call } from '../call'
import { until } from '../ledger-view'
import { aProcessWorld, type ProcessWorld } from '../world'

setDefaultTimeout(120_000)

const model = 'limited-at-the-primary'
const workers = 3

let world: ProcessWorld
beforeAll(async () => {
  const options = { ModelRatio: { [model]: 1 } }
  world = await aProcessWorld({ models: [model, 'gpt-4o'], gateway: { workers }, options })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

test('the other workers of a node learn from one worker that a key failed', async () => {
  const primary = { name: 'primary', key: 'sk-limited', base_url: world.simulator.url, models: model, priority: 5 }
  await world.console.addChannel(primary)
  const body = { model, messages: [{ role: 'user', content: 'hello' }] }
  // Each on a new connection, so that every worker gets some.
  const send = () => call(world.gateway, world.key, body, { isFresh: true })
  const atPrimary = () => world.simulator.requests.filter(({ apiKey }) => apiKey === 'sk-limited').length
  // Each worker reads the new channel for itself.
  for (let inARow = 0; inARow < 30; inARow += 1) {
    const before = atPrimary()
    await send()
    if (atPrimary() === before) inARow = 0
  }

  world.simulator.when(({ apiKey }) => apiKey === 'sk-limited', faults['status-429-absurd'])
  const before = atPrimary()
  for (let turn = 0; turn < 60; turn += 1) expect((await send()).status).toBe(200)
  // The second call may come before the news.
  expect(atPrimary() - before).toBeWithin(1, 3)
})

test('any worker reports the calls in flight and the failures of all workers', async () => {
  const live = async () => {
    const { workers, channels } = await world.console.call(channelRoutes.liveChannels, {
      query: { ids: String(world.channelId) },
    })
    return { workers, ...channels[0] }
  }
  expect(await live()).toMatchObject({ workers, in_flight: 0, last_failure: null })

  world.simulator.when(() => true, faults['stall-mid-stream'])
  const clients = new AbortController()
  const streams = Array.from({ length: 12 }, () =>
    fetch(`${world.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hello' }] }),
      signal: clients.signal,
      keepalive: false,
    }),
  )
  await Promise.all(streams)
  expect(await live()).toMatchObject({ in_flight: 12 })
  clients.abort()
  expect(await until(live, ({ in_flight }) => in_flight === 0)).toMatchObject({ in_flight: 0 })

  world.simulator.when(() => true, faults['status-500'])
  await call(world.gateway, world.key, { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] })
  for (let turn = 0; turn < 20; turn += 1)
    expect((await live()).last_failure).toMatchObject({ status: 500, fault: 'refused', model: 'gpt-4o' })
})
