import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let respond: () => Response
const empty = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => respond() })

let world: RelayWorld
let emptyId = 0
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = String(empty.url).replace(/\/$/, '')
  emptyId = await world.addChannel({ base_url, priority: 5 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await empty.stop(true)
})
beforeEach(async () => {
  world.forgetHealth()
  world.simulator.reset()
  await world.setOptions({ EmptyAnswers: 'unused' })
  await world.changeChannel(1, { status: 1 })
})

const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})
const events = (...all: readonly (object | string)[]) =>
  new Response(all.map((one) => (typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`)).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

interface Empty {
  readonly type: number
  readonly path: string
  readonly whole: (prompt: number, completion: number) => object
  readonly streamEvents: (prompt: number, completion: number) => readonly (object | string)[]
}

const eventOf = (type: string, members: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`

const vendors: Readonly<Record<string, Empty>> = {
  'Chat Completions': {
    type: 1,
    path: '/v1/chat/completions',
    whole: (prompt, completion) => ({
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: usage(prompt, completion),
    }),
    streamEvents: (prompt, completion) => [
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: usage(prompt, completion) },
      'data: [DONE]\n\n',
    ],
  },
  Messages: {
    type: 14,
    path: '/v1/messages',
    whole: (prompt, completion) => ({
      type: 'message',
      role: 'assistant',
      content: [],
      stop_reason: 'model_context_window_exceeded',
      usage: { input_tokens: prompt, output_tokens: completion },
    }),
    streamEvents: (prompt, completion) => [
      eventOf('message_start', {
        message: { id: 'm', content: [], usage: { input_tokens: prompt, output_tokens: 0 } },
      }),
      eventOf('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: completion } }),
      eventOf('message_stop'),
    ],
  },
}

const clients = ['/v1/chat/completions', '/v1/messages']
const cases = Object.keys(vendors).flatMap((vendor) =>
  clients.flatMap((path) => [false, true].map((stream) => [vendor, path, stream] as const)),
)

const send = (path: string, stream: boolean) =>
  world.post(path, { model: 'gpt-4o', max_tokens: 20, messages: [{ role: 'user', content: 'hi' }], stream })

/** Prepares the first channel to respond without output. */
async function anEmptyVendor(name: string, stream: boolean, prompt: number, completion: number) {
  const vendor = vendors[name]
  if (!vendor) throw new Error(`There is no vendor ${name}`)
  await world.changeChannel(emptyId, { type: vendor.type })
  respond = () =>
    stream ? events(...vendor.streamEvents(prompt, completion)) : Response.json(vendor.whole(prompt, completion))
}

describe('answers without output', () => {
  test.each(cases)(
    'an answer by %s to %s without any token goes to the next channel, stream %p',
    async (name, path, stream) => {
      await anEmptyVendor(name, stream, 0, 0)
      const response = await send(path, stream)
      expect([response.status, world.simulator.requests.length]).toEqual([200, 1])
      await response.text()
    },
  )

  test.each(cases)(
    'an answer by %s to %s without any token is an error in the end, stream %p',
    async (name, path, stream) => {
      await anEmptyVendor(name, stream, 0, 0)
      await world.changeChannel(1, { status: 2 })
      const before = (await world.logs()).length
      const response = await send(path, stream)
      await response.text()
      expect([response.status, (await world.logs()).length]).toEqual([502, before])
    },
  )

  test.each(cases)(
    'an empty answer by %s to %s whose prompt was used passes unless the site is strict, stream %p',
    async (name, path, stream) => {
      await anEmptyVendor(name, stream, 5000, 0)
      const passed = await send(path, stream)
      await passed.text()
      expect([passed.status, world.simulator.requests.length]).toEqual([200, 0])
      await world.setOptions({ EmptyAnswers: 'empty' })
      const retried = await send(path, stream)
      await retried.text()
      expect([retried.status, world.simulator.requests.length]).toEqual([200, 1])
    },
  )

  test.each(cases)(
    'an answer by %s to %s that used its tokens for thought passes even a strict site, stream %p',
    async (name, path, stream) => {
      await world.setOptions({ EmptyAnswers: 'empty' })
      await anEmptyVendor(name, stream, 10, 90)
      await (await send(path, stream)).text()
      expect(world.simulator.requests.length).toBe(0)
    },
  )

  test('a stream that holds nothing but its end mark goes to the next channel', async () => {
    await world.changeChannel(emptyId, { type: 1 })
    respond = () => events('data: [DONE]\n\n')
    for (const path of clients) expect((await send(path, true)).status).toBe(200)
    expect(world.simulator.requests).toHaveLength(clients.length)
  })

  test('a site may let every empty answer pass', async () => {
    await world.setOptions({ EmptyAnswers: 'none' })
    await anEmptyVendor('Chat Completions', false, 0, 0)
    expect((await send('/v1/chat/completions', false)).status).toBe(200)
    expect(world.simulator.requests.length).toBe(0)
  })
})

describe('unusable ends of Gemini', () => {
  const ends = [
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'MALFORMED_RESPONSE',
    'MISSING_THOUGHT_SIGNATURE',
    'PUP_LIMITED_DISABLED',
  ]
  const used = { promptTokenCount: 50_000, totalTokenCount: 50_000 }
  const endWith = (finishReason: string) => ({
    candidates: [{ content: {}, finishReason, index: 0 }],
    usageMetadata: used,
  })
  const own = '/v1beta/models/gpt-4o'

  const calls = ends.flatMap((end) =>
    [
      ['/v1/chat/completions', false],
      ['/v1/chat/completions', true],
      ['/v1/messages', true],
      [`${own}:generateContent`, false],
      [`${own}:streamGenerateContent?alt=sse`, true],
    ].map(([path, stream]) => [end, String(path), stream === true] as const),
  )
  const sendTo = (path: string, stream: boolean) =>
    path.startsWith(own)
      ? world.post(path, { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })
      : send(path, stream)

  test.each(calls)('%s before any output at %s goes to the next channel, stream %p', async (end, path, stream) => {
    await world.changeChannel(emptyId, { type: 24 })
    respond = () => (stream ? events(endWith(end)) : Response.json(endWith(end)))
    const response = await sendTo(path, stream)
    await response.text()
    expect([response.status, world.simulator.requests.length]).toEqual([200, 1])
  })

  test.each(calls)(
    '%s before any output at %s is an error that costs nothing in the end, stream %p',
    async (end, path, stream) => {
      await world.changeChannel(emptyId, { type: 24 })
      await world.changeChannel(1, { status: 2 })
      respond = () => (stream ? events(endWith(end)) : Response.json(endWith(end)))
      const before = (await world.logs()).length
      const response = await sendTo(path, stream)
      await response.text()
      expect([response.status, (await world.logs()).length]).toEqual([502, before])
    },
  )

  test('an unusable end after text keeps what was said', async () => {
    await world.changeChannel(emptyId, { type: 24 })
    const textChunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'Well' }] }, index: 0 }] }
    respond = () => events(textChunk, endWith('MALFORMED_FUNCTION_CALL'))
    const response = await send('/v1/chat/completions', true)
    expect([response.status, (await response.text()).includes('Well')]).toEqual([200, true])
  })
})

// https://docs.bigmodel.cn/api-reference, https://openrouter.ai/docs/api-reference/overview#finish-reason
describe('unusable ends in OpenAI’s words', () => {
  const ends = [
    'function_call_filter: MALFORMED_FUNCTION_CALL',
    'malformed_function_call',
    'network_error',
    'error',
    'unexpected_tool_call',
  ]
  const used = usage(5000, 0)
  const chunkWith = (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }], usage: used })
  const start = { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }
  const wholeWith = (finish_reason: string) => ({
    choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason }],
    usage: used,
  })
  const calls = ends.flatMap((end) =>
    clients.flatMap((path) => [false, true].map((stream) => [end, path, stream] as const)),
  )

  test.each(calls)('%s before any output at %s goes to the next channel, stream %p', async (end, path, stream) => {
    await world.changeChannel(emptyId, { type: 1 })
    respond = () => (stream ? events(start, chunkWith(end), 'data: [DONE]\n\n') : Response.json(wholeWith(end)))
    const response = await send(path, stream)
    await response.text()
    expect([response.status, world.simulator.requests.length]).toEqual([200, 1])
  })

  test.each(calls)(
    '%s before any output at %s is an error that costs nothing in the end, stream %p',
    async (end, path, stream) => {
      await world.changeChannel(emptyId, { type: 1 })
      await world.changeChannel(1, { status: 2 })
      respond = () => (stream ? events(start, chunkWith(end), 'data: [DONE]\n\n') : Response.json(wholeWith(end)))
      const before = (await world.logs()).length
      const response = await send(path, stream)
      await response.text()
      expect([response.status, (await world.logs()).length]).toEqual([502, before])
    },
  )

  test.each(clients)('an unusable end after text keeps what was said at %s', async (path) => {
    await world.changeChannel(emptyId, { type: 1 })
    const textChunk = { choices: [{ index: 0, delta: { content: 'Well' }, finish_reason: null }] }
    respond = () => events(textChunk, chunkWith('network_error'), 'data: [DONE]\n\n')
    const response = await send(path, true)
    expect([response.status, (await response.text()).includes('Well')]).toEqual([200, true])
  })
})
