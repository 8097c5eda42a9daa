import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
let plainId: number
beforeAll(async () => {
  world = await createRelayWorld()
  plainId = (await world.ctx.database.query.selectFrom('channels').select('id').executeTakeFirstOrThrow()).id
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const version = { 'anthropic-version': '2023-06-01' }
const message = { model: 'gpt-4o', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] }
const send = (change: object = {}) => world.post('/v1/messages', { ...message, ...change }, { headers: version })
const get = (path: string, headers: Record<string, string>) => fetch(world.url + path, { headers })
const lastOther = async () => JSON.parse((await world.logs()).at(-1)?.other ?? '{}')

const upstreamBody = (): Record<string, unknown> => JSON.parse(world.simulator.requests[0]?.body ?? '{}')

describe('a client of another dialect', () => {
  test('a client of another dialect sends its key in its own header', async () => {
    const headers = { authorization: '', 'x-api-key': world.key, ...version }
    expect((await world.post('/v1/messages', message, { headers })).status).toBe(200)
  })

  test('a client of another dialect receives its own format, with the usage that was charged', async () => {
    world.simulator.next({ tokens: 2 })
    const responseBody = await (await send()).json()
    expect(responseBody).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'gpt-4o',
      content: [{ type: 'text', text: 'the quick' }],
      stop_reason: 'end_turn',
    })
    const row = (await world.logs()).at(-1)
    expect(responseBody).toMatchObject({
      usage: { input_tokens: row?.prompt_tokens, output_tokens: row?.completion_tokens },
    })
  })

  test('a client of another dialect receives locally counted usage when the upstream reports none', async () => {
    world.simulator.next({ tokens: 3, usage: 'none' })
    const text = await (await send({ stream: true })).text()
    const row = (await world.logs()).at(-1)
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ estimated: true })
    expect(row?.completion_tokens).toBe(3)
    expect(text).toContain('"output_tokens":3}')
  })

  test('a client of another dialect receives the prompt estimate at the beginning of a stream', async () => {
    const text = await (await send({ stream: true })).text()
    const start = JSON.parse(/data: (.*message_start.*)/.exec(text)?.[1] ?? '{}')
    expect(start.message.usage.input_tokens).toBeGreaterThan(0)
  })

  test('a translated call requests usage from the upstream', async () => {
    await (await send({ stream: true })).text()
    expect(upstreamBody()).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  test('parameters that could not be translated are recorded in the log', async () => {
    await send({ top_k: 5 })
    expect((await lastOther()).dropped).toEqual(['top_k'])
    await send()
    expect(await lastOther()).not.toHaveProperty('dropped')
  })

  test.each([false, true])('a client is told what its request lost, by its own name (streamed: %j)', async (stream) => {
    const tools = [{ type: 'web_fetch_20250910', name: 'web_fetch' }]
    const content = [
      { type: 'of_tomorrow', name: 'x' },
      { type: 'text', text: 'hi' },
    ]
    const response = await send({ stream, top_k: 5, tools, messages: [{ role: 'user', content }] })
    await response.text()
    const dropped = ['the part of_tomorrow x', 'the built-in tool web_fetch_20250910 web_fetch', 'top_k']
    expect(response.headers.get('tollgate-dropped')).toBe(dropped.join('; '))
    expect((await lastOther()).dropped).toEqual(dropped)
    expect((await send()).headers.has('tollgate-dropped')).toBe(false)
  })

  test.each([false, true])(
    'a client is told what its answer lost, or its operator is (streamed: %j)',
    async (stream) => {
      const part = stream ? 'delta' : 'message'
      const choice = { index: 0, [part]: { content: 'hi', of_tomorrow: { a: 1 } }, finish_reason: 'stop' }
      const completion = JSON.stringify({ id: 'c', choices: [choice] })
      world.simulator.next({
        fault: stream
          ? { kind: 'body', contentType: 'text/event-stream', text: `data: ${completion}\n\ndata: [DONE]\n\n` }
          : { kind: 'body', contentType: 'application/json', text: completion },
      })
      const response = await send({ stream })
      expect(await response.text()).toContain('hi')
      expect((await lastOther()).dropped).toEqual(['message.of_tomorrow'])
      // What a stream brings later than its first words comes too late for a header.
      expect(response.headers.get('tollgate-dropped')).toBe('message.of_tomorrow')
    },
  )

  test('a long request, which is translated in several turns of the event loop, arrives whole', async () => {
    const content = Array.from({ length: 300 }, (_, index) => ({ type: 'text', text: `${index}${'x'.repeat(1024)}` }))
    expect((await send({ messages: [{ role: 'user', content }] })).status).toBe(200)
    expect(upstreamBody()['messages']).toEqual([{ role: 'user', content }])
  })

  test('names with characters that a header cannot have reach a client in a readable form', async () => {
    const response = await send({ tools: [{ type: 'of_tomorrow', name: 'a;b\n雪' }] })
    expect([response.status, response.headers.get('tollgate-dropped')]).toEqual([
      200,
      'the built-in tool of_tomorrow a?b??',
    ])
  })
})

describe('channel settings that apply to every dialect', () => {
  const withChannel = async (values: Parameters<RelayWorld['changeChannel']>[1], check: () => Promise<void>) => {
    await world.changeChannel(plainId, values)
    await check()
    const plain = { setting: '', system_prompt: '', param_override: '', model_mapping: '' }
    await world.changeChannel(plainId, plain)
  }

  test('the channel’s system prompt applies to every dialect', () =>
    withChannel({ system_prompt: 'Be kind' }, async () => {
      await send()
      expect(upstreamBody()['messages']).toEqual([
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'hello' },
      ])
    }))

  test('the channel’s model mapping and parameters apply in the upstream’s format', () =>
    withChannel({ model_mapping: '{"gpt-4o":"gpt-4o-mini"}', param_override: '{"temperature":0.5}' }, async () => {
      const responseBody = await (await send()).json()
      expect(upstreamBody()).toMatchObject({ model: 'gpt-4o-mini', temperature: 0.5 })
      expect(responseBody).toMatchObject({ model: 'gpt-4o' })
    }))
})

describe('failures in the caller’s dialect', () => {
  test.each([
    ['/v1/messages', version, { type: 'error', error: { type: 'authentication_error' } }],
    ['/v1/chat/completions', {}, { error: { type: 'authentication_error', code: 'invalid_api_key' } }],
  ])('%s without a key is refused in the caller’s dialect', async (path, headers: Record<string, string>, body) => {
    const response = await world.post(path, message, { headers: { ...headers, authorization: '' } })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject(body)
  })

  test('an upstream that fails before any content gives an error in the caller’s dialect', async () => {
    world.simulator.when(() => true, { fault: { kind: 'status', status: 500, body: {} } })
    const response = await send({ stream: true })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } })
  })

  test('an upstream that breaks off midway gives an error event and no end', async () => {
    world.simulator.next({ tokens: 20, gapMs: 10, fault: { kind: 'cut', afterFrames: 4 } })
    const text = await (await send({ stream: true })).text()
    expect(text).toContain('event: error\n')
    expect(text).not.toContain('message_stop')
  })

  test.each(['resp_1', 'resp_1/input_items'])('a response that was never made is not found at %s', async (path) => {
    const response = await get(`/v1/responses/${path}`, { authorization: `Bearer ${world.key}` })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'turn.none' } })
  })

  test('a call that names a part of a response that there is not is refused', async () => {
    const response = await get('/v1/responses/resp_1/events', { authorization: `Bearer ${world.key}` })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({ error: { code: 'api_not_implemented' } })
  })
})

describe('requests that SDKs make besides their calls', () => {
  test('the list of models has the shape that its caller knows', async () => {
    const anthropic = await (await get('/v1/models', { 'x-api-key': world.key, ...version })).json()
    expect(anthropic).toMatchObject({
      has_more: false,
      data: expect.arrayContaining([
        expect.objectContaining({
          type: 'model',
          id: 'gpt-4o',
          display_name: 'gpt-4o',
          created_at: expect.any(String),
        }),
      ]),
    })
    const google = await (await get('/v1beta/models', { 'x-goog-api-key': world.key })).json()
    expect(google).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ name: 'models/gpt-4o' })]),
    })
    const openai = await (await get('/v1/models', { authorization: `Bearer ${world.key}` })).json()
    expect(openai).toMatchObject({ object: 'list' })
  })

  test('counting the tokens of a prompt costs nothing', async () => {
    const before = (await world.logs()).length
    const { messages, model } = message
    const response = await world.post('/v1/messages/count_tokens', { messages, model }, { headers: version })
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) })
    expect(world.simulator.requests).toBeEmpty()
    expect((await world.logs()).length).toBe(before)
  })
})
