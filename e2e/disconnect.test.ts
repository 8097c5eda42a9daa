import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { faults, type Behaviour } from '@tollgate/simulator'

import { chargeOf, until } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

setDefaultTimeout(120_000)

const models = ['cancelled', 'drained', 'endless', 'unanswered', 'given-up', 'failing'] as const
type Model = (typeof models)[number]
const promptTokens = 1000

let world: World
beforeAll(async () => {
  world = await aWorld({
    gateway: { env: { DRAIN_TIMEOUT: '1' } },
    // A prompt token and a completion token cost one each.
    options: {
      RetryTimes: 2,
      ModelRatio: Object.fromEntries(models.map((model) => [model, 1])),
      CompletionRatio: Object.fromEntries(models.map((model) => [model, 1])),
    },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const addChannel = (model: Model, policy: 'cancel' | 'drain', priority = 0) =>
  world.console.addChannel({
    name: `${model} ${priority}`,
    key: `sk-${model}`,
    base_url: world.simulator.url,
    models: model,
    setting: JSON.stringify({ on_disconnect: policy }),
    priority,
  })

const behave = (model: Model, behaviour: Behaviour) =>
  world.simulator.when((request) => request.model === model, { promptTokens, ...behaviour })
const requestsFor = (model: Model) => world.simulator.requests.filter((request) => request.model === model)

function post(model: Model, stream: boolean, signal: AbortSignal) {
  return fetch(`${world.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'hello' }] }),
    signal,
  })
}

/** Reads the beginning of a stream and leaves. Returns the request id. */
async function leaveInMidStream(model: Model): Promise<string> {
  const client = new AbortController()
  const reply = await post(model, true, client.signal)
  const reader = reply.body?.getReader()
  // The first event only has the role.
  for (let read = 0; read < 4; read += 1) await reader?.read()
  client.abort()
  return reply.headers.get('x-request-id') ?? ''
}

/** Makes a call whose client leaves before the first byte. */
async function leaveBefore(model: Model): Promise<void> {
  const client = new AbortController()
  const reply = post(model, false, client.signal).catch(() => null)
  await until(
    async () => requestsFor(model).length,
    (count) => count > 0,
  )
  client.abort()
  expect(await reply).toBeNull()
}

const outcomeOf = async (model: Model) => requestsFor(model).at(-1)?.ended

async function expectNoReservedQuota(): Promise<void> {
  for (const name of ['tollgate_reserved_quota', 'tollgate_calls_in_flight']) {
    const held = await until(
      () => metricOf(world.gateway, name),
      (value) => value === 0,
    )
    expect([name, held]).toEqual([name, 0])
  }
}

describe('a client that leaves in mid-stream', () => {
  test('a client that leaves in mid-stream stops its upstream at once and pays for what it received', async () => {
    await addChannel('cancelled', 'cancel')
    behave('cancelled', { tokens: 500, gapMs: 20 })
    const row = await chargeOf(world.console, await leaveInMidStream('cancelled'))
    expect(await outcomeOf('cancelled')).toBe('aborted')
    expect(row.completion_tokens).toBeWithin(1, 400)
    expect(JSON.parse(row.other)).toMatchObject({ ending: 'abandoned', estimated: true })
    expect(row.quota).toBe(row.prompt_tokens + row.completion_tokens)
    await expectNoReservedQuota()
  })

  test('a client that leaves pays for the usage the upstream reports where the channel drains', async () => {
    await addChannel('drained', 'drain')
    behave('drained', { tokens: 30, gapMs: 1 })
    const row = await chargeOf(world.console, await leaveInMidStream('drained'))
    expect(
      await until(
        () => outcomeOf('drained'),
        (outcome) => outcome !== undefined,
      ),
    ).toBe('completed')
    expect([row.prompt_tokens, row.completion_tokens, row.quota]).toEqual([promptTokens, 30, promptTokens + 30])
    expect(JSON.parse(row.other)).toMatchObject({ ending: 'abandoned' })
    expect(JSON.parse(row.other)).not.toHaveProperty('estimated')
    await expectNoReservedQuota()
  })

  test('a stream without its client is drained for a bounded time and charged for what arrived', async () => {
    await addChannel('endless', 'drain')
    behave('endless', { tokens: 5000, gapMs: 20 })
    const row = await chargeOf(world.console, await leaveInMidStream('endless'))
    expect(await outcomeOf('endless')).toBe('aborted')
    const { startedAt = 0, endedAt } = requestsFor('endless')[0] ?? {}
    expect((endedAt ?? 0) - startedAt).toBeGreaterThanOrEqual(1000)
    expect(row.completion_tokens).toBeWithin(2, 1000)
    expect(JSON.parse(row.other)).toMatchObject({ ending: 'abandoned', estimated: true })
    await expectNoReservedQuota()
  })
})

describe('a client that leaves before its response', () => {
  test('a client that leaves before its response pays for the drained response, which the upstream produced anyway', async () => {
    await addChannel('unanswered', 'drain')
    behave('unanswered', { tokens: 5, ttftMs: 300 })
    await leaveBefore('unanswered')
    expect(await outcomeOf('unanswered')).toBe('completed')
    await expectNoReservedQuota()
    const charged = await until(
      () => metricOf(world.gateway, 'tollgate_tokens_total{kind="completion"}'),
      (tokens) => tokens >= 5,
    )
    expect(charged).toBeGreaterThanOrEqual(5)
  })

  test('a call without its client waits for a bounded time and costs nothing if no response came', async () => {
    await addChannel('given-up', 'drain')
    behave('given-up', faults['stall-before-headers'])
    const before = await metricOf(world.gateway, 'tollgate_charges_total')
    await leaveBefore('given-up')
    expect(await outcomeOf('given-up')).toBe('aborted')
    await expectNoReservedQuota()
    expect(await metricOf(world.gateway, 'tollgate_charges_total')).toBe(before)
  })

  test('a client that left does not trigger another channel when the draining one fails', async () => {
    await addChannel('failing', 'drain', 5)
    await addChannel('failing', 'drain')
    behave('failing', { ...faults['status-500'], ttftMs: 300 })
    await leaveBefore('failing')
    await expectNoReservedQuota()
    expect(requestsFor('failing')).toHaveLength(1)
  })
})
