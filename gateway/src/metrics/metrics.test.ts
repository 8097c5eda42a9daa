import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { registerGauges } from './gauges'
import { metricsAnswer, ownMetrics } from './metrics-route'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  registerGauges(world.ctx, world.inFlight)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const ask = (isDirectLocal: boolean, metricsToken = '', authorization = '') =>
  metricsAnswer(new Request('http://gateway.test/metrics', { headers: { authorization } }), {
    isDirectLocal,
    metricsToken,
    all: ownMetrics(world.ctx.metrics),
  })
const read = async () => (await ask(true)).text()

describe('the metrics', () => {
  test('count calls, attempts, tokens and charges', async () => {
    world.simulator.next({ tokens: 3, promptTokens: 7 })
    await (await world.chat()).text()
    world.simulator.when(() => true, { fault: { kind: 'status', status: 400, body: {} } })
    await (await world.chat()).text()
    const text = await read()
    expect(text).toContain('tollgate_calls_total{dialect="openai-chat",status="2xx"} 1')
    expect(text).toContain('tollgate_calls_total{dialect="openai-chat",status="4xx"} 1')
    expect(text).toContain('tollgate_upstream_attempts_total{outcome="served"} 1')
    expect(text).toContain('tollgate_upstream_attempts_total{outcome="refused"} 1')
    expect(text).toContain('tollgate_tokens_total{kind="prompt"} 7')
    expect(text).toContain('tollgate_tokens_total{kind="completion"} 3')
    expect(text).toContain('tollgate_charges_total 1')
    for (const stage of ['admit', 'prepare', 'settle'])
      expect(text).toMatch(new RegExp(`tollgate_overhead_seconds_count\\{stage="${stage}"\\} [1-9]`))
  })

  test('tell what the worker holds', async () => {
    const text = await read()
    expect(text).toContain('tollgate_channels 1')
    const names = [
      'leases',
      'journal_depth',
      'breakers_open',
      'resting_keys',
      'limited_calls',
      'waiting_calls',
      'memory_bytes',
    ]
    for (const name of [...names, 'event_loop_delay_seconds'])
      expect(text).toMatch(new RegExp(`^tollgate_${name} [0-9.e+-]+$`, 'm'))
  })

  test('name nobody: no user, no key, no model, no channel', async () => {
    const labels = new Set([...(await read()).matchAll(/[{,]([a-z]+)=/g)].map(([, label]) => label))
    expect([...labels].toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      'dialect',
      'kind',
      'le',
      'outcome',
      'reason',
      'stage',
      'status',
    ])
  })

  test('are for this machine, or for whoever has the token', async () => {
    expect((await ask(true)).status).toBe(200)
    expect((await ask(false)).status).toBe(403)
    expect((await ask(true, 'not-a-real-token')).status).toBe(403)
    expect((await ask(false, 'not-a-real-token', 'Bearer wrong')).status).toBe(403)
    expect((await ask(false, 'not-a-real-token', 'Bearer not-a-real-token')).status).toBe(200)
  })
})

test('an answer tells what the gateway itself took', async () => {
  const answer = await world.chat()
  expect(answer.headers.get('server-timing')).toMatch(/^gateway;dur=\d+\.\d{3}, upstream;dur=\d+\.\d$/)
})
