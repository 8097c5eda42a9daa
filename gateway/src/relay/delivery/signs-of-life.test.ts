import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { FakeTime } from '../../../test/fake-time'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const intervalMs = 1000
const time = new FakeTime()
let world: RelayWorld
let channels: readonly number[]
beforeAll(async () => {
  world = await createRelayWorld({ time })
  channels = [
    1,
    await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' }),
    await world.addChannel({ type: 24, models: 'gemini-2.0-flash' }),
  ]
  await world.setOptions({
    'general_setting.ping_interval_enabled': 'true',
    'general_setting.ping_interval_seconds': String(intervalMs / 1000),
    RetryTimes: '0',
  })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
})

const silence = async (): Promise<void> => {
  await time.untilWaiting(intervalMs)
  time.advance(intervalMs)
}

const hello = [{ role: 'user', content: 'hello' }]
const clients: Readonly<Record<string, { path: string; body: object; end: string; failure: string }>> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: { model: 'gpt-4o', stream: true, messages: hello },
    end: 'data: [DONE]',
    failure: 'data: {"error":',
  },
  messages: {
    path: '/v1/messages',
    body: { model: 'claude-sonnet-4-5', stream: true, max_tokens: 20, messages: hello },
    end: 'event: message_stop',
    failure: 'event: error\n',
  },
  responses: {
    path: '/v1/responses',
    body: { model: 'gpt-4o', stream: true, input: 'hello' },
    end: 'response.completed',
    failure: 'event: error\n',
  },
  gemini: {
    path: '/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    end: '"finishReason"',
    failure: 'data: {"error":',
  },
  completions: {
    path: '/v1/completions',
    body: { model: 'gpt-3.5-turbo-instruct', stream: true, prompt: 'hello' },
    end: 'data: [DONE]',
    failure: 'data: {"error":',
  },
  'Cohere’s chats': {
    path: '/v2/chat',
    body: { model: 'gpt-4o', stream: true, messages: hello },
    end: '"finish_reason":"COMPLETE"',
    failure: '"finish_reason":"ERROR"',
  },
}
const names = Object.keys(clients)
const clientOf = (name: string) => clients[name] ?? { path: '', body: {}, end: '', failure: '' }

/** Resolves with the text and the status of a stream whose upstream is silent until `open` is called. */
async function silentStream(name: string, rest: object) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  world.simulator.when(() => true, { tokens: 3, gate: () => opened, ...rest })
  const asking = world.post(clientOf(name).path, clientOf(name).body)
  await silence()
  return { answer: await asking, open }
}

test.each(names)('a stream of %s shows life while its channel is silent, and is whole', async (name) => {
  const { answer, open } = await silentStream(name, {})
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(answer.headers.get('x-request-id')).toBeString()
  void silence()
  let text = ''
  for await (const bytes of answer.body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (text.split(': ping').length > 2) open()
  }
  expect([answer.status, text]).toEqual([200, expect.stringMatching(/^: ping\n\n: ping\n\n/)])
  expect(text).toContain(clientOf(name).end)
  expect(await world.chargesOf(1, 1)).not.toBeEmpty()
})

test.each(names)('a stream of %s whose channel fails after its silence ends with an error event', async (name) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  using vendor = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => opened.then(() => Response.json({ error: { message: 'Out of order' } }, { status: 500 })),
  })
  for (const id of channels) await world.changeChannel(id, { base_url: vendor.url.origin })
  const asking = world.post(clientOf(name).path, clientOf(name).body)
  await silence()
  const response = await asking
  open()
  const text = await response.text()
  for (const id of channels) await world.changeChannel(id, { base_url: world.simulator.url })
  expect([response.status, text]).toEqual([200, expect.stringContaining(clientOf(name).failure)])
  expect(text).not.toContain(clientOf(name).end)
})

test('a client that leaves a silent stream stops its upstream', async () => {
  const { answer } = await silentStream('chat completions', {})
  await answer.body?.cancel()
  expect(await world.simulator.requests.at(-1)?.ended).toBe('aborted')
})

test('a channel that answers or fails within the interval is told as ever', async () => {
  world.simulator.next({ fault: { kind: 'status', status: 500 } })
  const failed = await world.chat({ stream: true })
  expect(failed.status).toBe(502)
  expect(await (await world.chat({ stream: true })).text()).toStartWith('data: ')
})

test.each([
  ['/api/chat', { model: 'gpt-4o', messages: hello }],
  [
    '/v1beta/models/gemini-2.0-flash:streamGenerateContent',
    { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  ],
])('a stream of %s, which has no comments, is silent until its channel says something', async (path, body) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  world.simulator.when(() => true, { tokens: 3, gate: () => opened })
  let hasStarted = false
  const asking = world.post(path, body).finally(() => (hasStarted = true))
  await world.simulator.arrival(1)
  time.advance(10 * intervalMs)
  expect(hasStarted).toBe(false)
  open()
  const text = await (await asking).text()
  expect(text).not.toContain('ping')
  expect(text).toMatch(/"done":true|"finishReason"/)
})
