import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { inBody, type JsonObject } from '@tollgate/dialects'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import type { Lesson } from '../../channels/calls/requested-call'
import { bodyOf } from '../../channels/calls/parsed-body'
import { taught } from '../../channels/calls/read-lesson'

interface Received {
  readonly headers: Headers
  readonly body: JsonObject
}

let received: Received[] = []
/** Returns why the vendor refuses a request; null: it serves. */
let refusalOf: (request: Received) => JsonObject | null = () => null

const completion = {
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
}
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
}
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.' }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2 },
}

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const receivedRequest = { headers: request.headers, body: (await request.json()) as JsonObject }
    received.push(receivedRequest)
    const error = refusalOf(receivedRequest)
    if (error) return Response.json({ error }, { status: 400 })
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/messages')) return Response.json(message)
    return Response.json(pathname.endsWith('/responses') ? response : completion)
  },
})
const root = `http://127.0.0.1:${vendor.port}`

let world: RelayWorld
let channel = 0
beforeAll(async () => {
  world = await createRelayWorld()
  await world.changeChannel(1, { status: 2 })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})
beforeEach(() => {
  received = []
  refusalOf = () => null
  world.forgetHealth()
})
afterEach(() => world.changeChannel(channel, { status: 2 }))

const compatible = async (values: object = {}) => {
  channel = await world.addChannel({ type: 8, base_url: `${root}/v1/chat/completions`, models: 'gpt-4o', ...values })
}
const claude = async () => {
  channel = await world.addChannel({ type: 14, base_url: root, models: 'claude-opus-4-6' })
}

/** Refuses a request that has one of these members, the first of them. */
const refusing =
  (...names: readonly string[]) =>
  ({ body }: Received): JsonObject | null => {
    const found = names.find((name) => name in body)
    return found === undefined ? null : { message: `Unsupported parameter: '${found}'`, type: 'invalid_request_error' }
  }

const names = () =>
  received.map(({ body }) => Object.keys(body).filter((name) => !['model', 'messages'].includes(name)))
const sendChat = (more: JsonObject) => world.chat({ model: 'gpt-4o', ...more })
const readDropped = (clientResponse: Response) => clientResponse.headers.get('tollgate-dropped')

describe('an upstream that refuses a part of a request', () => {
  test('an upstream that refuses a part is asked once more without it, and never with it from then on', async () => {
    await compatible()
    refusalOf = refusing('verbosity')
    const clientResponses = [
      await sendChat({ verbosity: 'low', seed: 1 }),
      await sendChat({ verbosity: 'low', seed: 1 }),
    ]
    expect(clientResponses.map(({ status }) => status)).toEqual([200, 200])
    expect(names()).toEqual([['verbosity', 'seed'], ['seed'], ['seed']])
    expect(clientResponses.map(readDropped)).toEqual(['verbosity', 'verbosity'])
    for (const clientResponse of clientResponses) await clientResponse.text()
    const rows = (await world.logs()).slice(-2)
    expect(rows.map(({ other }) => JSON.parse(other).dropped)).toEqual([['verbosity'], ['verbosity']])
    expect(rows[0]?.quota).toBe(rows[1]?.quota ?? -1)
  })

  test('one that refuses several, one after the other, is served after as many calls', async () => {
    await compatible()
    refusalOf = refusing('verbosity', 'store', 'metadata')
    const all = { verbosity: 'low', store: true, metadata: {} }
    const statuses = [(await sendChat(all)).status, (await sendChat(all)).status, (await sendChat(all)).status]
    expect(statuses).toEqual([400, 400, 200])
    expect(received.length).toBe(6)
  })

  test('a limit goes by its other name', async () => {
    await compatible()
    refusalOf = refusing('max_tokens')
    const clientResponse = await sendChat({ max_tokens: 9 })
    expect([
      clientResponse.status,
      received.at(-1)?.body['max_completion_tokens'],
      readDropped(clientResponse),
    ]).toEqual([200, 9, null])
  })

  test('instructions of a developer become those of the system where the role is refused', async () => {
    await compatible()
    refusalOf = ({ body }) =>
      JSON.stringify(body).includes('developer')
        ? { message: 'messages[0].role: unknown variant `developer`, expected one of `system`, `user`' }
        : null
    const clientResponse = await sendChat({ messages: [{ role: 'developer', content: 'Be brief.' }] })
    expect([clientResponse.status, received.at(-1)?.body['messages']]).toEqual([
      200,
      [{ role: 'system', content: 'Be brief.' }],
    ])
  })

  test.each([
    ['messages'],
    ['model'],
    ['tools'],
    ['response_format'],
    ['messages[0].content'],
    ['tools[0].function.parameters'],
    ['something_else'],
  ])('an upstream that names %s is not asked again', async (name) => {
    await compatible()
    refusalOf = () => ({ message: `Unknown parameter: '${name}'.`, type: 'invalid_request_error' })
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const clientResponse = await sendChat({ tools, response_format: { type: 'json_object' } })
    expect([clientResponse.status, received.length]).toEqual([400, 1])
    expect(await clientResponse.text()).toContain('Unknown parameter')
  })

  test('what an upstream repeats of a caller teaches nothing about other calls', async () => {
    await compatible()
    refusalOf = () => ({ message: "Invalid value: Unsupported parameter: 'seed'", type: 'invalid_request_error' })
    expect((await sendChat({ seed: 1 })).status).toBe(400)
    expect([received.length, world.ctx.health.lessons.isEmpty]).toEqual([2, true])
  })

  test.each([
    [
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.",
      { reasoning_effort: 'minimal' },
      { reasoning_effort: 'high' },
    ],
    ["Unsupported parameter: 'top_p' is not supported when 'seed' is set", { top_p: 0.5, seed: 1 }, { top_p: 0.5 }],
  ])('what is refused as "%s" is kept in the requests of others', async (message, refused, taken) => {
    await compatible()
    refusalOf = ({ body }) => (Bun.deepMatch(refused, body) ? { message, type: 'invalid_request_error' } : null)
    const first = await sendChat(refused)
    expect([first.status, readDropped(first)]).toEqual([200, Object.keys(refused)[0] ?? null])
    const second = await sendChat(taken)
    expect([second.status, readDropped(second), received.at(-1)?.body]).toMatchObject([200, null, taken])
    expect(world.ctx.health.lessons.isEmpty).toBe(true)
  })

  test('a channel that passes requests as they are is not asked again', async () => {
    await compatible({ setting: JSON.stringify({ pass_through_body_enabled: true }) })
    refusalOf = refusing('verbosity')
    expect([(await sendChat({ verbosity: 'low' })).status, received.length]).toEqual([400, 1])
  })

  test('betas that it refuses are left out, with the members that they bring', async () => {
    await claude()
    refusalOf = ({ headers }) => (headers.has('anthropic-beta') ? { message: 'invalid beta flag' } : null)
    const body = {
      model: 'claude-opus-4-6',
      max_tokens: 64,
      system: [{ type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral', scope: 'global' } }],
      context_management: { edits: [] },
      messages: [{ role: 'user', content: 'hi' }],
    }
    const headers = { 'anthropic-beta': 'prompt-caching-scope-2026-01-05,context-management-2025-06-27' }
    const clientResponse = await world.post('/v1/messages', body, { headers })
    expect(clientResponse.status).toBe(200)
    expect(received.at(-1)?.body['system']).toEqual([
      { type: 'text', text: 'Hi.', cache_control: { type: 'ephemeral' } },
    ])
    expect(readDropped(clientResponse)).toBe(
      'system[].cache_control.scope; context_management; the beta prompt-caching-scope-2026-01-05; the beta context-management-2025-06-27',
    )
  })

  test('a path between names of types leads to the member', async () => {
    await claude()
    refusalOf = ({ body }) =>
      JSON.stringify(body).includes('eager')
        ? { message: 'tools.0.custom.eager_input_streaming: Extra inputs are not permitted' }
        : null
    const tool = { name: 'a', input_schema: { type: 'object' } }
    const tools = [{ ...tool, eager_input_streaming: true }, tool, { ...tool, eager_input_streaming: true }]
    const body = { model: 'claude-opus-4-6', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }], tools }
    const clientResponse = await world.post('/v1/messages', body)
    expect([clientResponse.status, readDropped(clientResponse)]).toEqual([200, 'tools[].eager_input_streaming'])
    expect(received.at(-1)?.body['tools']).toEqual([tool, tool, tool])
  })
})

describe('reasoning that an upstream cannot read', () => {
  const conversation = {
    model: 'claude-opus-4-6',
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'text', text: 'Hello.' },
        ],
      },
      { role: 'user', content: 'go on' },
    ],
  }
  const invalid = { message: 'messages.1.content.0: Invalid `signature` in `thinking` block' }

  test('a signed thought is left out and named, for this request alone', async () => {
    await claude()
    refusalOf = ({ body }) => (JSON.stringify(body).includes('c2ln') ? invalid : null)
    const clientResponse = await world.post('/v1/messages', conversation)
    expect([clientResponse.status, readDropped(clientResponse)]).toEqual([200, 'signed thoughts'])
    expect(received.at(-1)?.body['messages']).toEqual([
      conversation.messages[0],
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
      conversation.messages[2],
    ])
    expect(world.ctx.health.lessons.isEmpty).toBe(true)
  })

  test('the refusal is passed on where the request fails without it too', async () => {
    await claude()
    refusalOf = ({ body }) => (JSON.stringify(body).includes('c2ln') ? invalid : { message: 'Something else' })
    const clientResponse = await world.post('/v1/messages', conversation)
    expect([clientResponse.status, received.length]).toEqual([400, 2])
    expect(await clientResponse.text()).toContain('Invalid `signature`')
  })

  test('encrypted items of Responses are left out', async () => {
    channel = await world.addChannel({ type: 1, base_url: root, models: 'gpt-4o' })
    refusalOf = ({ body }) =>
      JSON.stringify(body).includes('gAAA')
        ? { message: 'The encrypted content could not be verified.', code: 'invalid_encrypted_content' }
        : null
    const userMessage = { role: 'user', content: 'hi' }
    const input = [userMessage, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }, userMessage]
    const clientResponse = await world.post('/v1/responses', { model: 'gpt-4o', store: false, input })
    expect([clientResponse.status, readDropped(clientResponse)]).toEqual([200, 'encrypted reasoning'])
    expect(received.at(-1)?.body['input']).toEqual([userMessage, userMessage])
  })

  test('an unknown previous response stays refused', async () => {
    channel = await world.addChannel({ type: 1, base_url: root, models: 'gpt-4o' })
    await world.setOptions({ SelfUseModeEnabled: 'true' })
    refusalOf = () => ({
      message: "Previous response with id 'resp_x' not found.",
      code: 'previous_response_not_found',
    })
    const clientResponse = await world.post('/v1/responses', {
      model: 'gpt-4o',
      input: 'hi',
      previous_response_id: 'resp_x',
    })
    expect([clientResponse.status, received.length]).toEqual([400, 1])
  })
})

test('a refusal stands where no request can be made as it says', async () => {
  await compatible()
  const catalog = world.ctx.catalog.current
  const found = catalog.channels.get(channel)
  const key = found?.keys[0]
  if (!found || !key) throw new Error('The channel has no key')
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
  const baseRequest = {
    dialect: 'openai-chat',
    pathContext: inBody,
    isStream: false,
    body: bodyOf(body),
    path: '/',
  } as const
  const choice = { channel: found, key, model: 'gpt-4o' }
  const prepareWith = (mode: 'chat' | 'speech', lesson: Lesson) =>
    taught({ ...baseRequest, mode, lesson }, choice, catalog, lesson)
  expect(prepareWith('chat', {})?.request.body).toBe(JSON.stringify(body))
  expect(prepareWith('chat', { hasResponses: true })?.description.dialect).toBe('openai-responses')
  const empty = {
    ...baseRequest,
    body: bodyOf({ model: 'gpt-4o', messages: [] }),
    mode: 'chat',
    lesson: { hasResponses: true },
  } as const
  expect(taught(empty, choice, catalog, empty.lesson)).toBeNull()
  // No translation leads from chats to speech.
  expect(prepareWith('speech', {})).toBeNull()
})
