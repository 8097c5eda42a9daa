import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const models = { responses: 'o3-pro', chat: 'chat-only', anthropic: 'claude-opus-4-5', gemini: 'gemini-2.5-flash' }

let world: RelayWorld
let bare: Bun.Server<undefined>
const paths: string[] = []
let refusal: () => Response
const refuse = (status: number, message: string) => () => Response.json({ error: { message } }, { status })
beforeAll(async () => {
  world = await createRelayWorld()
  bare = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      paths.push(pathname + search)
      if (!pathname.endsWith('/responses')) return refusal()
      const content = [{ type: 'output_text', text: 'what was said', annotations: [] }]
      return Response.json({
        id: 'resp_bare',
        object: 'response',
        status: 'completed',
        output: [{ id: 'msg_bare', type: 'message', role: 'assistant', status: 'completed', content }],
        usage: { input_tokens: 20, output_tokens: 3, total_tokens: 23 },
      })
    },
  })
  const channels = [
    [1, models.responses],
    [43, models.chat],
    [14, models.anthropic],
    [24, models.gemini],
  ] as const
  for (const [type, model] of channels) await world.addChannel({ type, models: model })
  await world.addChannel({ models: 'o3-bare', base_url: String(bare.url).replace(/\/$/, '') })
  await world.addChannel({ type: 3, models: 'o3-dated', base_url: String(bare.url).replace(/\/$/, '') })
  await world.setOptions({ ModelRatio: '{"chat-only":1,"o3-bare":1,"o3-dated":1}' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await bare.stop(true)
})
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
  paths.length = 0
  refusal = refuse(404, 'Not found')
})

const conversation = [
  { role: 'user', content: 'We launch on Tuesday.' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Noted.' }] },
]

const compact = (model: string, body: object = {}, key = world.key) =>
  world.post('/v1/responses/compact', { model, input: conversation, ...body }, { key })
const outputOf = async (response: Response) => ((await response.json()) as { output: JsonObject[] }).output
const lastBody = () => world.simulator.requests.at(-1)?.body ?? ''

test('a vendor that compacts is asked to, and its usage is charged', async () => {
  const { userId, key } = await world.addPayer(10_000_000)
  world.simulator.next({ promptTokens: 1000, tokens: 10 })
  const response = await compact(models.responses, { instructions: 'Be brief.', tools: [], stream: true }, key)
  const { object, output, usage } = (await response.json()) as JsonObject
  expect([object, output]).toMatchObject(['response.compaction', [{ role: 'user' }, { type: 'compaction' }]])
  expect(usage).toMatchObject({ input_tokens: 1000 })
  const [request] = world.simulator.requests
  expect(request?.path).toBe('/v1/responses/compact')
  expect(JSON.parse(request?.body ?? '')).toEqual({
    model: models.responses,
    instructions: 'Be brief.',
    input: conversation,
  })
  const [row] = await world.chargesOf(userId, 1)
  expect(row).toMatchObject({ prompt_tokens: 1000, model_name: models.responses })
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ endpoint: '/v1/responses/compact' })
})

describe.each([models.chat, models.anthropic, models.gemini])('at %s, whose vendor does not compact', (model) => {
  test('the model writes a summary, which any dialect reads in its place', async () => {
    const { userId, key } = await world.addPayer(10_000_000)
    world.simulator.next({ text: 'The launch is on Tuesday.' })
    const response = await compact(model, {}, key)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    const output = await outputOf(response)
    expect(output).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'We launch on Tuesday.' }] },
      { type: 'compaction' },
    ])
    expect(String(output[1]?.['encrypted_content'])).toStartWith('tollgate.')
    for (const text of ['We launch on Tuesday.', 'Noted.', 'Summarize the conversation'])
      expect(lastBody()).toContain(text)
    expect(await world.chargesOf(userId, 1)).toHaveLength(1)
    for (const next of Object.values(models)) {
      const input = [output[1], { role: 'user', content: 'When?' }]
      expect((await world.post('/v1/responses', { model: next, input, store: false }, { key })).status).toBe(200)
      expect(lastBody()).toContain('The launch is on Tuesday.')
      expect(lastBody()).not.toContain('tollgate.')
    }
    // What was compacted once is compacted again.
    expect((await compact(model, { input: output }, key)).status).toBe(200)
    expect(lastBody()).toContain('The launch is on Tuesday.')
  })
})

test('a summary that is of another user, or was changed, is refused', async () => {
  const own = await world.addPayer(10_000_000)
  const other = await world.addPayer(10_000_000)
  const [, item] = await outputOf(await compact(models.chat, {}, own.key))
  const sealed = String(item?.['encrypted_content'])
  const send = async (key: string, encrypted_content: string) => {
    const input = [
      { type: 'compaction', encrypted_content },
      { role: 'user', content: 'When?' },
    ]
    const response = await world.post('/v1/responses', { model: models.chat, input }, { key })
    const { error } = (await response.json()) as { error?: JsonObject }
    return [response.status, error?.['code'], error?.['param']]
  }
  const refusal = [400, 'invalid_encrypted_content', 'input[0]']
  expect(await send(other.key, sealed)).toEqual(refusal)
  expect(await send(own.key, `${sealed.slice(0, -4)}AAAA`)).toEqual(refusal)
  expect((await send(own.key, sealed))[0]).toBe(200)
  // A vendor's own means nothing to another one.
  expect(await send(own.key, 'gAAAAAfromElsewhere')).toEqual([400, 'invalid_value', 'input[0]'])
})

test.each([
  [404, 'Not found'],
  [404, 'Invalid URL (POST /v1/responses/compact)'],
  [405, 'Method Not Allowed'],
  [501, 'Not Implemented'],
  [400, 'Unknown request URL: POST /v1/responses/compact. Please check the URL for typos.'],
  [400, 'not found'],
  [400, 'The path is not supported'],
  [403, 'Unsupported endpoint'],
  [422, 'responses/compact is not supported'],
])(
  'a vendor that refuses the endpoint by %i %s is asked for a summary, and not again for what it lacks',
  async (status, message) => {
    refusal = refuse(status, message)
    for (const tries of [2, 1]) {
      paths.length = 0
      expect(await outputOf(await compact('o3-bare'))).toMatchObject([{ role: 'user' }, { type: 'compaction' }])
      expect(paths).toHaveLength(tries)
    }
  },
)

test.each([
  [400, 'The input is too long.'],
  [400, 'Item with id rs_1 not found.'],
  [422, 'Unsupported value: model'],
])('a vendor that refuses what it was sent by %i %s is not asked for anything else', async (status, message) => {
  refusal = refuse(status, message)
  expect((await compact('o3-bare')).status).toBe(status)
  expect(paths).toHaveLength(1)
})

test('parameters of an address stay behind the path to compact', async () => {
  await compact('o3-dated')
  expect(paths).toEqual([
    '/openai/v1/responses/compact?api-version=preview',
    '/openai/v1/responses?api-version=preview',
  ])
})

test('a request without a model or a conversation is refused, and costs nothing', async () => {
  const { userId, key } = await world.addPayer(1000)
  const response = await world.post('/v1/responses/compact', { input: conversation }, { key })
  expect(response.status).toBe(400)
  world.simulator.next({ text: '   ' })
  expect((await compact(models.chat, {}, (await world.addPayer(1_000_000)).key)).status).toBe(502)
  expect((await world.logs()).filter((row) => row.user_id === userId)).toHaveLength(0)
})
