import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { Behaviour } from '@tollgate/simulator'

import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'
import { serveMetrics, ownMetrics } from '../../platform/telemetry/metrics/metrics-route'
import { FakeTime } from '../../../test/fake-time'

let world: RelayWorld
const time = new FakeTime()
/** Index of the first request not yet inspected. */
let seen = 0
beforeAll(async () => {
  world = await createRelayWorld({ time })
  await world.setOptions({ RetryTimes: '2' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  seen = 0
  world.forgetHealth()
})

const refuseWith = (status: number, headers: Record<string, string>): Behaviour => ({
  fault: { kind: 'status', status, headers, error: { message: 'later', type: 'rate_limit_error', code: null } },
})
const respondTo = (apiKey: string, behaviour: Behaviour) =>
  world.simulator.when((request) => request.apiKey === apiKey, behaviour)

/** Returns the keys used since the previous call of this function. */
function takeUsedKeys(): string[] {
  const keys = world.simulator.requests.slice(seen).map(({ apiKey }) => apiKey ?? '')
  seen += keys.length
  return keys
}

async function withChannel(keys: readonly string[], run: () => Promise<void>) {
  const id = await world.addChannel({ priority: 5, key_sealed: world.ctx.seal.seal(keys.join(',')) })
  try {
    await run()
  } finally {
    await world.changeChannel(id, { status: 2 })
  }
}

const isServed = async () => expect((await world.chat()).status).toBe(200)

describe('an account that has used up a limit by a call that it served', () => {
  test.each([{}, { stream: true }])('rests until the limit is whole again, and another one serves: %j', (form) =>
    withChannel(['sk-limited'], async () => {
      const chat = async () => expect(await (await world.chat(form)).text()).not.toBe('')
      const headers = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '20s' }
      respondTo('sk-limited', { headers })
      await chat()
      await chat()
      expect(takeUsedKeys()).toEqual(['sk-limited', upstreamKey])
      time.advance(20_000)
      respondTo('sk-limited', { headers: { ...headers, 'x-ratelimit-remaining-tokens': '1' } })
      await chat()
      await chat()
      expect(takeUsedKeys()).toEqual(['sk-limited', 'sk-limited'])
    }),
  )

  test('serves on where there is no other', async () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20s' }
    respondTo(upstreamKey, { headers })
    await isServed()
    await isServed()
    expect(takeUsedKeys()).toEqual([upstreamKey, upstreamKey])
  })
})

describe('an upstream that sends Retry-After', () => {
  test.each([
    [429, { 'retry-after': '30' }, 30],
    [429, { 'retry-after-ms': '30000' }, 30],
    [429, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '30s' }, 30],
    [503, { 'retry-after': '30' }, 30],
    [429, { 'retry-after': '1000000000' }, 300],
  ])(
    'a channel that responds %i with %j cools down for that time, and another one serves',
    (status, headers, seconds) =>
      withChannel(['sk-limited'], async () => {
        respondTo('sk-limited', refuseWith(status, headers))
        await isServed()
        expect(takeUsedKeys()).toEqual(['sk-limited', upstreamKey])
        time.advance(seconds * 1000 - 1)
        await isServed()
        expect(takeUsedKeys()).toEqual([upstreamKey])
        time.advance(1)
        await isServed()
        expect(takeUsedKeys()).toEqual(['sk-limited', upstreamKey])
      }),
  )

  test('a rate-limited key does not affect the channel’s other keys', () =>
    withChannel(['sk-limited', 'sk-other'], async () => {
      respondTo('sk-limited', refuseWith(429, { 'retry-after': '30' }))
      for (let call = 0; call < 6; call += 1) await isServed()
      const keys = takeUsedKeys()
      expect(keys.filter((key) => key === 'sk-limited')).toHaveLength(1)
      expect(keys).not.toContain(upstreamKey)
    }))

  test('an overloaded channel cools down with all its keys', () =>
    withChannel(['sk-limited', 'sk-other'], async () => {
      for (const key of ['sk-limited', 'sk-other']) respondTo(key, refuseWith(503, { 'retry-after': '30' }))
      for (let call = 0; call < 6; call += 1) await isServed()
      expect(takeUsedKeys().filter((key) => key !== upstreamKey)).toHaveLength(1)
    }))

  test('a cooldown is not counted as a failure', () =>
    withChannel(['sk-limited'], async () => {
      respondTo('sk-limited', refuseWith(429, { 'retry-after': '1' }))
      const before = await cooldowns()
      for (let call = 0; call < 6; call += 1) {
        await isServed()
        time.advance(1000)
      }
      expect(takeUsedKeys().filter((key) => key === 'sk-limited')).toHaveLength(6)
      expect((await cooldowns()) - before).toBe(6)
    }))

  test('a cooling channel is used when no other is left, and the client is told when the first becomes available', () =>
    withChannel(['sk-limited'], async () => {
      respondTo('sk-limited', refuseWith(429, { 'retry-after': '30' }))
      await isServed()
      time.advance(10_000)
      respondTo(upstreamKey, refuseWith(429, { 'retry-after': '90' }))
      takeUsedKeys()
      const response = await world.chat()
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30'])
      expect(takeUsedKeys()).toEqual([upstreamKey, 'sk-limited'])
      time.advance(10_000)
      await world.setOptions({ RetryTimes: '0' })
      const first = await world.chat()
      await world.setOptions({ RetryTimes: '2' })
      expect(first.status).toBe(429)
      expect(takeUsedKeys()).toHaveLength(1)
    }))

  test('a 429 without a time causes no cooldown', () =>
    withChannel(['sk-limited'], async () => {
      respondTo('sk-limited', refuseWith(429, {}))
      for (let call = 0; call < 2; call += 1) await isServed()
      expect(takeUsedKeys()).toEqual(['sk-limited', upstreamKey, 'sk-limited', upstreamKey])
    }))
})

test('a wait that Google names in the body of an error is kept to, and passed on in the body', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '29.5s' }]
  const body = JSON.stringify({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'later', details } })
  const id = await world.addChannel({ type: 24, models: 'gemini-2.0-flash' })
  world.simulator.when(() => true, { fault: { kind: 'status', status: 429, body, headers: {} } })
  const path = '/v1beta/models/gemini-2.0-flash:generateContent'
  const response = await world.post(path, { contents: [{ parts: [{ text: 'hello' }] }] })
  await world.changeChannel(id, { status: 2 })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '30'])
  expect(await response.json()).toMatchObject({ error: { details: [{ ...details[0], retryDelay: '30s' }] } })
})

async function cooldowns(): Promise<number> {
  const request = new Request('http://gateway.test/metrics', { headers: { authorization: 'Bearer secret' } })
  const all = ownMetrics(world.ctx.metrics)
  const response = await serveMetrics(request, { metricsToken: 'secret', all })
  return Number(/^tollgate_cooldowns_total (\d+)$/m.exec(await response.text())?.[1] ?? 0)
}
