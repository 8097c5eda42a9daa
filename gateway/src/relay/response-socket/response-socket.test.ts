import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { tokenStatus, userStatus } from '@tollgate/contract'
import type { JsonObject } from '@tollgate/dialects'

import { eventually } from '../../../test/eventually'
import { connectRealtime, type RealtimeClient } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

/** A vendor of each dialect, and a model that only it serves. */
const upstreams = {
  'openai-responses': { type: 1, model: 'o3-pro' },
  'openai-chat': { type: 43, model: 'chat-only' },
  'anthropic-messages': { type: 14, model: 'claude-opus-4-5' },
  gemini: { type: 24, model: 'gemini-2.5-flash' },
} as const
const ids = Object.keys(upstreams) as (keyof typeof upstreams)[]

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  for (const { type, model } of Object.values(upstreams)) await world.addChannel({ type, models: model })
  await world.setOptions({ ModelRatio: '{"chat-only":1}' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  world.simulator.reset()
  await world.setOptions({ RealtimeUserSessions: '20' })
})

const connect = (key = world.key, options: Parameters<typeof connectRealtime>[1] = {}) =>
  connectRealtime(world.url, { key, path: '/v1/responses', query: '', ...options })

const create = (body: object = {}) => ({ type: 'response.create', model: 'o3-pro', store: false, ...body })
const responseOf = (event: JsonObject) => event['response'] as JsonObject
const errorOf = (event: JsonObject) => event['error'] as JsonObject

async function turn(client: RealtimeClient, body: object = {}): Promise<JsonObject> {
  client.send(create(body))
  return responseOf(await client.next('response.completed'))
}

const lastBody = (): JsonObject => JSON.parse(world.simulator.requests.at(-1)?.body ?? '')

describe.each(ids)('turns over %s', (upstream) => {
  const { model } = upstreams[upstream]

  test('each turn is charged as a call and ends with its response', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    using client = await connect(key)
    world.simulator.next({ text: 'one two' })
    const first = await turn(client, { model, input: 'hello' })
    expect(first).toMatchObject({
      object: 'response',
      status: 'completed',
      store: upstream === 'openai-responses' ? expect.anything() : false,
    })
    const [created] = client.events
    expect(created).toMatchObject({ type: 'response.created' })
    world.simulator.next({ text: 'three' })
    await turn(client, { model, input: 'again' })
    const rows = await world.chargesOf(userId, 2)
    expect(rows.map(({ model_name, is_stream }) => [model_name, is_stream])).toEqual([
      [model, 1],
      [model, 1],
    ])
    expect(rows.every(({ quota }) => quota > 0)).toBe(true)
    expect(created).toMatchObject({ headers: { 'x-request-id': rows[0]?.request_id } })
    expect(client.events.filter(({ headers }) => headers !== undefined)).toHaveLength(2)
  })

  test('a turn goes on from the last response that no vendor keeps', async () => {
    using client = await connect()
    world.simulator.next({ text: 'the word is cobalt' })
    const { id } = await turn(client, { model, input: 'remember a word' })
    world.simulator.next({ text: 'cobalt' })
    const next = await turn(client, { model, input: 'which word', previous_response_id: id })
    const { body = '' } = world.simulator.requests.at(-1) ?? {}
    for (const text of ['remember a word', 'the word is cobalt', 'which word']) expect(body).toContain(text)
    expect(body).not.toContain(String(id))
    await turn(client, { model, input: 'and now', previous_response_id: next['id'] })
    expect(world.simulator.requests.at(-1)?.body).toContain('remember a word')
  })
})

test('a warm-up has an id to go on from, calls no upstream and costs nothing', async () => {
  const { userId, key } = await world.addPayer(10_000_000)
  using client = await connect(key)
  const { id, output, usage } = await turn(client, { input: 'the context', generate: false })
  expect([output, usage]).toMatchObject([[], { total_tokens: 0 }])
  expect(world.simulator.requests).toHaveLength(0)
  await turn(client, { input: 'the question', previous_response_id: id })
  expect(lastBody()).toMatchObject({ input: [{ content: 'the context' }, { content: 'the question' }], stream: true })
  expect(lastBody()).not.toHaveProperty('generate')
  expect(await world.chargesOf(userId, 1)).toHaveLength(1)
})

/** https://www.openresponses.org/specification */
const required = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'incomplete_details',
  'model',
  'previous_response_id',
  'instructions',
  'output',
  'error',
  'tools',
  'tool_choice',
  'truncation',
  'parallel_tool_calls',
  'text',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'temperature',
  'reasoning',
  'usage',
  'store',
  'max_output_tokens',
  'max_tool_calls',
  'background',
  'service_tier',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
]

test('a warm-up has what every response has', async () => {
  using client = await connect()
  const response = await turn(client, { input: 'a', generate: false, metadata: { a: 'b' } })
  expect(required.filter((name) => !(name in response))).toEqual([])
  expect(response['metadata']).toEqual({ a: 'b' })
})

test('a response of another socket, or one whose continuation failed, is not found', async () => {
  using other = await connect()
  const { id } = await turn(other, { input: 'hello' })
  using client = await connect()
  client.send(create({ input: 'go on', previous_response_id: id }))
  expect(await client.next('error')).toMatchObject({
    status: 400,
    error: { code: 'previous_response_not_found', param: 'previous_response_id' },
  })
  other.send(
    create({ previous_response_id: id, input: [{ type: 'function_call_output', call_id: 'call_x', output: '1' }] }),
  )
  expect(await other.next('error')).toMatchObject({ status: 400, error: { param: 'input' } })
  other.send(create({ input: 'go on', previous_response_id: id }))
  expect(errorOf(await other.next('error'))).toMatchObject({ code: 'previous_response_not_found' })
  expect(await turn(other, { input: 'anew' })).toMatchObject({ status: 'completed' })
})

test('conversations of one socket that are told apart go on by themselves', async () => {
  using client = await connect()
  const first = await turn(client, { input: 'in the first', stream_id: 'a' })
  const second = await turn(client, { input: 'in the second', stream_id: 'b' })
  expect(client.events.map((event) => event['stream_id'])).not.toContain(undefined)
  await turn(client, { input: 'go on', stream_id: 'a', previous_response_id: first['id'] })
  expect(JSON.stringify(lastBody())).toContain('in the first')
  expect(lastBody()).not.toHaveProperty('stream_id')
  await turn(client, { input: 'fork', stream_id: 'c', previous_response_id: second['id'] })
  expect(JSON.stringify(lastBody())).toContain('in the second')
})

test.each([
  ['text that is no JSON', '{"type":', 'request.malformed'],
  ['a list', '[]', 'request.malformed'],
  ['another type', '{"type":"response.cancel"}', 'invalid_value'],
  ['no type', '{"model":"o3-pro","input":"a"}', 'invalid_value'],
  ['no model', '{"type":"response.create","input":"a"}', 'request.model_missing'],
  ['a strange name of a conversation', '{"type":"response.create","stream_id":"a b"}', 'invalid_stream_id'],
  ['an unknown model', '{"type":"response.create","model":"none","input":"a"}', 'model_not_found'],
  ['deep structure', `{"type":"response.create","input":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'nesting_too_deep'],
])('%s is refused as over HTTP, and the socket goes on', async (_name, text, code) => {
  using client = await connect()
  client.send(text)
  const { status, error, headers } = await client.next('error')
  expect([status, (error as JsonObject)['code']]).toEqual([code === 'model_not_found' ? 404 : 400, code])
  expect(headers).toHaveProperty('x-request-id')
  expect(await turn(client, { input: 'hello' })).toMatchObject({ status: 'completed' })
})

test('messages that come while a turn runs wait for it', async () => {
  using client = await connect()
  const gate = Promise.withResolvers<void>()
  world.simulator.next({ text: 'first', gate: () => gate.promise })
  for (const input of ['one', 'two', 'three']) client.send(create({ input }))
  client.send({ type: 'response.processed', response_id: 'resp_1' })
  await world.simulator.arrival(1)
  expect(world.simulator.requests).toHaveLength(1)
  gate.resolve()
  for (let count = 0; count < 3; count += 1) await client.next('response.completed')
  expect(world.simulator.requests.map(({ body }) => (JSON.parse(body) as JsonObject)['input'])).toEqual([
    'one',
    'two',
    'three',
  ])
  expect(client.events.some(({ type }) => type === 'error')).toBe(false)
})

test('what an upstream refuses, and what breaks off, are frames with a status, and what came is charged', async () => {
  const { userId, key } = await world.addPayer(10_000_000)
  using client = await connect(key)
  world.simulator.next({
    fault: {
      kind: 'status',
      status: 400,
      error: { message: 'No such voice.', type: 'invalid_request_error', code: 'bad_voice' },
    },
  })
  client.send(create({ input: 'hello' }))
  expect(await client.next('error')).toMatchObject({ status: 400, error: { code: 'bad_voice' } })
  world.simulator.next({ text: 'one two three four', fault: { kind: 'reset', when: { afterFrames: 6 } } })
  client.send(create({ input: 'hello' }))
  expect(await client.next('error')).toMatchObject({ status: 502, error: { code: 'upstream.broken' } })
  const [row] = await world.chargesOf(userId, 1)
  expect(row?.model_name).toBe('o3-pro')
  expect(row?.quota).toBeGreaterThan(0)
  world.simulator.next({ ending: 'failed' })
  client.send(create({ input: 'hello' }))
  expect(responseOf(await client.next('response.failed'))).toMatchObject({ status: 'failed' })
})

describe('who may open one', () => {
  const upgrade = {
    upgrade: 'websocket',
    connection: 'upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }
  const requestUpgrade = (headers: Record<string, string>) =>
    fetch(`${world.url}/v1/responses`, { headers: { ...upgrade, ...headers } })

  test('an unknown key is refused before the upgrade, in the form of the dialect', async () => {
    const response = await requestUpgrade({ authorization: 'Bearer sk-wrong' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key', type: 'authentication_error' } })
  })

  test('a plain GET is answered 405, and so is an upgrade of the address for compactions', async () => {
    expect((await fetch(`${world.url}/v1/responses`)).status).toBe(405)
    expect((await fetch(`${world.url}/v1/responses/compact`, { headers: upgrade })).status).toBe(405)
  })

  test('a key may come in a protocol, which is not repeated', async () => {
    using client = await connectRealtime(world.url, {
      path: '/v1/responses',
      query: '',
      protocols: ['responses', `openai-insecure-api-key.${world.key}`],
    })
    expect(client.protocol).toBe('responses')
    expect(await turn(client, { input: 'hello' })).toMatchObject({ status: 'completed' })
  })

  test('a caller with as many sockets as allowed is sent to HTTP', async () => {
    const { key } = await world.addPayer(1000)
    await world.setOptions({ RealtimeUserSessions: '1' })
    {
      using _ = await connect(key)
      const response = await requestUpgrade({ authorization: `Bearer ${key}` })
      expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'HTTP/1.1'])
      expect(errorOf(await response.json())).toMatchObject({ code: 'socket.connections' })
    }
    using client = await eventually(() => connect(key).catch(() => null))
    client.close()
  })
})

describe('what ends one', () => {
  test('a balance that runs out is told for each turn, and a top-up helps', async () => {
    const { userId, key } = await world.addPayer(1)
    using client = await connect(key)
    client.send(create({ input: 'hello', max_output_tokens: 5000 }))
    expect(await client.next('error')).toMatchObject({ status: 403, error: { code: 'insufficient_quota' } })
    await world.ctx.ledger.credit({ id: 'top-up', userId, kind: 'admin', amount: 10_000_000 })
    expect(await turn(client, { input: 'hello' })).toMatchObject({ status: 'completed' })
  })

  async function change(what: 'key' | 'user', userId: number, values: { status?: number; expired_time?: number }) {
    const { changes, database } = world.ctx
    await database.query.transaction().execute(async (transaction) => {
      const keys = transaction.selectFrom('tokens').select('id').where('user_id', '=', userId)
      const { id } = await keys.executeTakeFirstOrThrow()
      const change =
        what === 'user' ? ({ topic: 'user', refId: userId } as const) : ({ topic: 'token', refId: id } as const)
      const table = what === 'user' ? 'users' : 'tokens'
      await transaction.updateTable(table).set(values).where('id', '=', change.refId).execute()
      await changes.announce(change, transaction)
    })
    await changes.deliver()
  }

  test('a disabled key ends a socket on which nothing runs', async () => {
    const { userId, key } = await world.addPayer(1000)
    using client = await connect(key)
    await change('key', userId, { status: tokenStatus.disabled })
    expect(await client.next('error')).toMatchObject({ status: 403, error: { code: 'caller.revoked' } })
    expect((await client.closed).code).toBe(1008)
  })

  test('a key that has expired is refused at its next turn, and the socket ends', async () => {
    const { userId, key } = await world.addPayer(1_000_000)
    using client = await connect(key)
    await turn(client, { input: 'hello' })
    await change('key', userId, { expired_time: 1 })
    client.send(create({ input: 'hello' }))
    expect(await client.next('error')).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } })
    expect((await client.closed).code).toBe(1008)
    expect(client.events.filter(({ type }) => type === 'error')).toHaveLength(1)
  })

  test.each(['key', 'user'] as const)(
    'a disabled %s ends the turn that runs, with an error, and the socket',
    async (what) => {
      const { userId, key } = await world.addPayer(10_000_000)
      using client = await connect(key)
      const gate = Promise.withResolvers<void>()
      world.simulator.next({ text: 'one two three', gate: (frame) => (frame > 5 ? gate.promise : undefined) })
      client.send(create({ input: 'hello' }))
      await client.next('response.output_text.delta')
      await change(what, userId, { status: what === 'user' ? userStatus.disabled : tokenStatus.disabled })
      expect(await client.next('error')).toMatchObject({ status: 403, error: { code: 'caller.revoked' } })
      expect((await client.closed).code).toBe(1008)
      gate.resolve()
      expect(await world.chargesOf(userId, 1)).toHaveLength(1)
    },
  )

  test('a stop lets the turn that runs end, and no other begin', async () => {
    using client = await connect()
    using idle = await connect()
    const gate = Promise.withResolvers<void>()
    world.simulator.next({ text: 'one two three', gate: (frame) => (frame > 5 ? gate.promise : undefined) })
    client.send(create({ input: 'hello' }))
    client.send(create({ input: 'never' }))
    await client.next('response.output_text.delta')
    world.inFlight.sessions.drain()
    expect((await idle.closed).code).toBe(1001)
    gate.resolve()
    await client.next('response.completed')
    expect(await client.next('error')).toMatchObject({ status: 503, error: { code: 'gateway.draining' } })
    expect((await client.closed).code).toBe(1001)
    expect(world.simulator.requests).toHaveLength(1)
  })

  test('a client that leaves in mid-turn pays for what came', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    const client = await connect(key)
    const gate = Promise.withResolvers<void>()
    world.simulator.next({ text: 'one two three four', gate: (frame) => (frame > 6 ? gate.promise : undefined) })
    client.send(create({ model: 'gpt-4o', input: 'hello' }))
    await client.next('response.output_text.delta')
    client.close()
    await (
      await world.simulator.arrival(1)
    ).ended
    gate.resolve()
    expect(await world.inFlight.whenIdle(10_000)).toBe(true)
    expect(await world.chargesOf(userId, 1)).toHaveLength(1)
  })
})
