import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { faults, type Behaviour } from '@tollgate/simulator'

import { HurriedTime } from '../gateway/test/hurried-time'
import { openBlackHole, type BlackHole } from './black-hole'
import { call, type CallResponse } from './call'
import { chargeOf, chargesOf, reasonsOf, until } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

interface Clocked {
  readonly clock: string | null
  /** Null: the address accepts no connection. */
  readonly behaviour: Behaviour | null
  readonly setting?: object | 'its proxy'
}

/** Each violates one timeout only. Each has two models: one that a second channel also serves, and one that only this channel serves. */
const cases = {
  connect: { clock: 'connect', behaviour: null },
  proxied: { clock: 'connect', behaviour: null, setting: 'its proxy' },
  headless: { clock: 'first-byte', behaviour: faults['stall-before-headers'] },
  patient: { clock: 'total', behaviour: faults['stall-before-headers'], setting: { first_byte_timeout_whole: 60 } },
  hasty: { clock: 'first-byte', behaviour: { ttftMs: 15_000 }, setting: { first_byte_timeout: 1 } },
  eventless: { clock: 'first-byte', behaviour: faults['stall-after-headers'] },
  idle: { clock: 'idle', behaviour: faults['stall-mid-stream'] },
  total: { clock: 'total', behaviour: { tokens: 200, gapMs: 200 } },
  slow: { clock: null, behaviour: { ttftMs: 4000 } },
} as const satisfies Record<string, Clocked>
type Case = keyof typeof cases

const names = Object.keys(cases) as Case[]
const spare = (name: Case) => `${name}-and-another`
const models = names.flatMap((name) => [name, spare(name)])
const messages = [{ role: 'user', content: 'hello' }]

let world: World
let hole: BlackHole
const time = new HurriedTime()
beforeAll(async () => {
  hole = await openBlackHole()
  world = await aWorld({
    models: names.map(spare),
    simulator: { after: time.after },
    gateway: {
      ...time.parts,
      env: {
        // On a machine that stands still for seconds, the channel that serves must not be given up as well.
        CONNECT_TIMEOUT: '3',
        FIRST_BYTE_TIMEOUT: '6',
        FIRST_BYTE_TIMEOUT_WHOLE: '9',
        STREAM_IDLE_TIMEOUT: '3',
        REQUEST_TIMEOUT: '20',
      },
    },
    options: { RetryTimes: 2, ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
  for (const name of names) {
    const { behaviour, setting: own = {} }: Clocked = cases[name]
    const key = `sk-${name}`
    if (behaviour) world.simulator.when(({ apiKey }) => apiKey === key, behaviour)
    const base_url = behaviour ? world.simulator.url : hole.url
    const setting = JSON.stringify(own === 'its proxy' ? { proxy: hole.url } : own)
    await world.console.addChannel({ name, base_url, models: `${name},${spare(name)}`, key, priority: 10, setting })
  }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await hole[Symbol.asyncDispose]()
})

const send = (model: string, stream: boolean) =>
  time.hurry(call(world.gateway, world.key, { model, messages, stream }, { timeoutMs: 60_000 }))

const attemptsAt = (name: Case, model: string) =>
  world.simulator.requests.filter((request) => request.apiKey === `sk-${name}` && request.model === model)

async function expectTimeout(reply: CallResponse, clock: string): Promise<void> {
  expect(reply.status).toBe(504)
  expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'upstream.timeout', type: 'server_error' } })
  expect(await reasonsOf(world.console, reply.requestId)).toEqual([`The ${clock} time limit was reached`])
  expect(await chargesOf(world.console, reply.requestId)).toEqual([])
}

async function expectAnother(reply: CallResponse): Promise<void> {
  expect([reply.status, reply.isBroken]).toEqual([200, false])
  const row = await chargeOf(world.console, reply.requestId)
  expect(row.channel).toBe(world.channelId)
}

describe.concurrent('timeouts of an upstream', () => {
  test.each([
    ['takes no connection', 'connect', true],
    ['takes no connection', 'connect', false],
    ['has a proxy that takes no connection', 'proxied', false],
    ['says nothing', 'headless', true],
    ['says nothing', 'headless', false],
    ['is slower than its channel allows', 'hasty', true],
    ['says it will and does not', 'eventless', true],
  ] as const)(
    'an upstream that %s (%s, stream: %p) is given up with an error to the caller',
    async (_, name, isStream) => {
      await expectTimeout(await send(name, isStream), cases[name].clock)
    },
  )

  test.each([
    ['takes no connection', 'connect', true],
    ['takes no connection', 'connect', false],
    ['has a proxy that takes no connection', 'proxied', false],
    ['says nothing', 'headless', true],
    ['says nothing', 'headless', false],
    ['is slower than its channel allows', 'hasty', true],
    ['says it will and does not', 'eventless', true],
  ] as const)('an upstream that %s (%s, stream: %p) is given up for another channel', async (_, name, isStream) => {
    await expectAnother(await send(spare(name), isStream))
  })

  test('an upstream that takes no connections is reported in the caller’s dialect', async () => {
    const body = { model: 'connect', messages, max_tokens: 10 }
    const reply = await time.hurry(call(world.gateway, world.key, body, { path: '/v1/messages' }))
    expect(reply.status).toBe(504)
    expect(JSON.parse(reply.text)).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
  })

  test('an upstream that answers slowly but has accepted the connection outlasts the connect timeout', async () => {
    const reply = await send('slow', false)
    expect(reply.status).toBe(200)
    expect((await chargeOf(world.console, reply.requestId)).content).not.toBe('')
    expect(attemptsAt('slow', 'slow')).toHaveLength(1)
  })

  test.each([
    ['falls silent', 'idle'],
    ['never comes to its end', 'total'],
  ] as const)(
    'an upstream that %s in mid-stream (%s) is given up, what came is charged, and no other channel is tried',
    async (_, name) => {
      const reply = await send(spare(name), true)
      expect(reply.status).toBe(200)
      expect(reply.text).toContain('"code":"upstream.broken"')
      expect(reply.text).not.toContain('[DONE]')
      const row = await chargeOf(world.console, reply.requestId)
      expect(row.channel).not.toBe(world.channelId)
      expect(row.completion_tokens).toBeWithin(1, 100)
      expect(JSON.parse(row.other)).toMatchObject({ ending: 'broken', estimated: true })
      expect(attemptsAt(name, spare(name))).toHaveLength(1)
    },
  )

  test('an upstream that takes all of the time for a whole response is given up without trying another channel: no time is left', async () => {
    await expectTimeout(await send(spare('patient'), false), 'total')
  })
})

test('no reservation remains after a timeout', async () => {
  const reserved = await until(
    () => metricOf(world.gateway, 'tollgate_reserved_quota'),
    (quota) => quota === 0,
  )
  expect(reserved).toBe(0)
})
