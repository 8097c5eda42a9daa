import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { faults, type RecordedRequest } from '@tollgate/simulator'

import { call, type CallResponse } from './call'
import { chargeOf, chargesOf, until, reasonsOf } from './ledger-view'
import { metricOf } from './metric'
import { aWorld, type World } from './world'

setDefaultTimeout(120_000)
/** Generous for a busy machine; events normally arrive in milliseconds. */
const timeoutMs = 60_000

const models = ['line', 'full', 'late', 'left', 'spare', 'drained', 'failing'] as const
type Model = (typeof models)[number]

let world: World
beforeAll(async () => {
  world = await aWorld({
    gateway: { env: { FIRST_BYTE_TIMEOUT: '20', STREAM_IDLE_TIMEOUT: '1' } },
    options: { ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const limitedCalls = () => metricOf(world.gateway, 'tollgate_limited_calls')
const waitingCalls = () => metricOf(world.gateway, 'tollgate_waiting_calls')
const becomes = async (read: () => Promise<number>, expected: number) =>
  expect(await until(read, (value) => value === expected, timeoutMs)).toBe(expected)

afterEach(async () => {
  await becomes(limitedCalls, 0)
  await becomes(waitingCalls, 0)
  await becomes(() => metricOf(world.gateway, 'tollgate_reserved_quota'), 0)
})

const addChannel = (model: Model, setting: object, fields: { name?: string; priority?: number } = {}) =>
  world.console.addChannel({
    name: model,
    key: `sk-${model}`,
    base_url: world.simulator.url,
    models: model,
    setting: JSON.stringify(setting),
    ...fields,
  })

const bodyOf = (model: Model, text = 'hello', stream = true) => ({
  model,
  stream,
  max_tokens: 50,
  messages: [{ role: 'user', content: text }],
})
const send = (model: Model, text?: string, stream?: boolean) =>
  call(world.gateway, world.key, bodyOf(model, text, stream), { timeoutMs: 20_000 })

const hasText = (text: string) => (request: RecordedRequest) => request.body.includes(`"${text}"`)
const requestsFor = (model: Model) => world.simulator.requests.filter((request) => request.model === model)

/** Holds responses to calls with this text until the returned function is called. */
function holdResponses(text: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  world.simulator.when(hasText(text), { gate: () => promise })
  return resolve
}

/** Makes a call that occupies a slot of the channel until it is released. */
async function occupySlot(model: Model): Promise<() => Promise<CallResponse>> {
  const letGo = holdResponses(`${model} holds`)
  const reply = send(model, `${model} holds`)
  await until(
    async () => requestsFor(model).length,
    (count) => count > 0,
  )
  return () => {
    letGo()
    return reply
  }
}

async function expectBusy(result: Response, reason: string): Promise<void> {
  expect(result.status).toBe(503)
  expect(Number(result.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  const requestId = result.headers.get('x-request-id') ?? ''
  expect(await reasonsOf(world.console, requestId)).toEqual([reason])
  expect(await chargesOf(world.console, requestId)).toEqual([])
}

const post = (body: object, path = '/v1/chat/completions', signal?: AbortSignal) =>
  fetch(world.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

describe('the concurrency limit of a channel', () => {
  test('a channel admits no more calls than its limit, and the first in the queue when one ends', async () => {
    await addChannel('line', { max_concurrency: 2, max_waiting: 3, max_wait_seconds: 15 })
    const texts = ['call 0', 'call 1', 'call 2', 'call 3', 'call 4']
    const letGo = texts.map(holdResponses)
    const responses: Promise<CallResponse>[] = []
    for (const [index, text] of texts.entries()) {
      responses.push(send('line', text, index % 2 === 0))
      await becomes(async () => (await limitedCalls()) + (await waitingCalls()), index + 1)
    }
    await becomes(async () => requestsFor('line').length, 2)
    expect([await limitedCalls(), await waitingCalls(), requestsFor('line').length]).toEqual([2, 3, 2])
    for (const [index, open] of letGo.entries()) {
      open()
      expect((await responses[index])?.status).toBe(200)
      await becomes(async () => requestsFor('line').length, Math.min(index + 3, texts.length))
    }
    const order = requestsFor('line').map((request) => texts.findIndex((text) => hasText(text)(request)))
    // The first two were in flight together.
    expect(order.slice(2)).toEqual([2, 3, 4])
    for (const reply of responses) await chargeOf(world.console, (await reply).requestId)
  })

  test('a channel refuses calls over a full queue in the caller’s dialect with a Retry-After, free of charge', async () => {
    await addChannel('full', { max_concurrency: 1, max_waiting: 0, max_wait_seconds: 7 })
    const letGo = await occupySlot('full')
    const result = await post(bodyOf('full'))
    expect(result.headers.get('retry-after')).toBe('7')
    expect(await result.clone().json()).toMatchObject({ error: { code: 'route.busy', type: 'server_error' } })
    await expectBusy(result, 'The line before the channel is full')
    const other = await post(bodyOf('full'), '/v1/messages')
    expect(await other.clone().json()).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
    await expectBusy(other, 'The line before the channel is full')
    expect(requestsFor('full')).toHaveLength(1)
    expect((await letGo()).status).toBe(200)
    expect(await metricOf(world.gateway, 'tollgate_channel_waits_total{outcome="full"}')).toBe(2)
    expect((await send('full')).status).toBe(200)
  })

  test('a channel queues a call no longer than the configured wait', async () => {
    await addChannel('late', { max_concurrency: 1, max_wait_seconds: 1 })
    const letGo = await occupySlot('late')
    await expectBusy(await post(bodyOf('late')), 'The time to wait for the channel is over')
    expect((await letGo()).status).toBe(200)
  })

  test('a channel drops a client that leaves the queue at once', async () => {
    await addChannel('left', { max_concurrency: 1, max_waiting: 1, max_wait_seconds: 15 })
    const letGo = await occupySlot('left')
    const client = new AbortController()
    const left = post(bodyOf('left'), undefined, client.signal).catch(() => null)
    await becomes(waitingCalls, 1)
    client.abort()
    expect(await left).toBeNull()
    await becomes(waitingCalls, 0)
    const next = send('left', 'next')
    await becomes(waitingCalls, 1)
    expect((await letGo()).status).toBe(200)
    expect((await next).status).toBe(200)
    expect(requestsFor('left')).toHaveLength(2)
  })

  test('a full channel overflows to another channel without harm to its own health', async () => {
    const first = await addChannel('spare', { max_concurrency: 1 }, { priority: 5 })
    const letGo = await occupySlot('spare')
    const second = await addChannel('spare', {}, { name: 'the spare one' })
    for (let turn = 0; turn < 8; turn += 1) {
      const result = await send('spare', `turn ${turn}`)
      expect((await chargeOf(world.console, result.requestId)).channel).toBe(second)
    }
    await letGo()
    await becomes(limitedCalls, 0)
    expect((await chargeOf(world.console, (await send('spare')).requestId)).channel).toBe(first)
  })

  test('a channel keeps the slot of a client that left while the response is drained for its usage', async () => {
    await addChannel('drained', { max_concurrency: 1, on_disconnect: 'drain' })
    const { promise, resolve } = Promise.withResolvers<void>()
    world.simulator.when(hasText('to be drained'), { tokens: 20, gate: (frame) => (frame < 5 ? undefined : promise) })
    const client = new AbortController()
    const result = await post(bodyOf('drained', 'to be drained'), undefined, client.signal)
    await result.body?.getReader().read()
    client.abort()
    const next = send('drained', 'next')
    await becomes(waitingCalls, 1)
    expect(requestsFor('drained')).toHaveLength(1)
    resolve()
    expect((await next).status).toBe(200)
    const row = await chargeOf(world.console, result.headers.get('x-request-id') ?? '')
    expect(row.completion_tokens).toBe(20)
  })

  test('a channel frees the slots of calls that fail, break off or lose their client', async () => {
    await addChannel('failing', { max_concurrency: 1, max_wait_seconds: 5 })
    const kinds = [
      'status-400',
      'reset-before-headers',
      'status-413',
      'malformed-json',
      'reset-mid-stream',
      'stall-mid-stream',
    ] as const
    for (const kind of kinds) {
      world.simulator.next(faults[kind])
      const result = await send('failing')
      expect(result.text).not.toContain('route.busy')
      expect((await send('failing', 'well again', false)).status).toBe(200)
    }
    const client = new AbortController()
    holdResponses('left in the middle')
    const left = post(bodyOf('failing', 'left in the middle'), undefined, client.signal).catch(() => null)
    await becomes(limitedCalls, 1)
    client.abort()
    await left
    expect((await send('failing', 'and again')).status).toBe(200)
  })
})
