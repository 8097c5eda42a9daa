import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { testChannel } from '../../channels/probe'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'In January.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 },
}
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ ...whole, object: 'chat.completion.chunk', usage: null, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const usage = `data: ${JSON.stringify({ ...whole, object: 'chat.completion.chunk', choices: [] })}\n\ndata: [DONE]\n\n`
const pieces = [
  chunk({ role: 'assistant', reasoning_content: 'Cold.' }),
  chunk({ content: 'In ' }),
  chunk({ content: 'January.' }),
]
const end = [chunk({}, 'stop'), usage]

const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
const messageEvents = [
  event('message_start', { message: { ...message, usage: { input_tokens: 7, output_tokens: 1 } } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'In January.' } }),
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } }),
  event('message_stop', {}),
].join('')

const dashScopeRefusal = {
  error: {
    code: 'invalid_parameter_error',
    message: 'This model only support stream mode, please enable the stream parameter to access the model. ',
    type: 'invalid_request_error',
  },
}
const anthropicRefusal = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: 'Streaming is required for operations that may take longer than 10 minutes.',
  },
}

let streamFlags: (boolean | undefined)[] = []
let streamed = ''
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { stream } = (await request.json()) as { stream?: boolean }
    streamFlags.push(stream)
    const isMessages = new URL(request.url).pathname.endsWith('/messages')
    if (stream !== true) return Response.json(isMessages ? anthropicRefusal : dashScopeRefusal, { status: 400 })
    const body = isMessages ? messageEvents : streamed
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  },
})
const base_url = String(upstream.url).replace(/\/$/, '')

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({ SelfUseModeEnabled: 'true' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})
beforeEach(() => {
  streamFlags = []
  streamed = [...pieces, ...end].join('')
})

let channelId = 0
afterEach(() => world.changeChannel(channelId, { status: 2 }))

const messages = [{ role: 'user', content: 'When does the harbour freeze?' }]
const chatResponse = {
  object: 'chat.completion',
  choices: [{ message: { content: 'In January.', reasoning_content: 'Cold.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 4 },
}

describe.each([
  ['which the channel says', '{"stream_only":true}', [true]],
  ['which it says itself', '', [undefined, true, true]],
] as const)('an upstream that only streams, %s', (_what, setting, sent) => {
  beforeEach(async () => {
    world.forgetHealth()
    channelId = await world.addChannel({ base_url, models: 'stream-model', setting })
  })

  test('gives calls in one piece their response, with its usage, and is asked for a stream at once from then on', async () => {
    const fetchChat = async () => (await world.chat({ model: 'stream-model' })).json()
    expect(await fetchChat()).toMatchObject(chatResponse)
    expect(await fetchChat()).toMatchObject(chatResponse)
    expect(streamFlags).toEqual([...sent, ...(setting ? sent : [])])
  })

  test('a channel that serves streams alone passes the channel test', async () => {
    expect((await testChannel(world.ctx, channelId)).failure).toBeNull()
    expect((await world.chat({ model: 'stream-model' })).status).toBe(200)
    expect(streamFlags.at(-1)).toBe(true)
  })

  test('serves calls of other dialects in one piece', async () => {
    const response = await world.post('/v1/messages', { model: 'stream-model', max_tokens: 4000, messages })
    expect(await response.json()).toMatchObject({ stop_reason: 'end_turn', usage: { output_tokens: 4 } })
  })

  test('gives an error and no half a response where its stream breaks off, and nothing is learned of that', async () => {
    streamed = pieces.join('')
    expect((await world.chat({ model: 'stream-model' })).status).toBe(502)
    expect(world.ctx.health.lessons.isEmpty).toBe(true)
  })
})

test('Anthropic’s refusal of a long call in one piece is followed by a stream that is gathered', async () => {
  world.forgetHealth()
  channelId = await world.addChannel({ type: 14, base_url, models: 'claude-long' })
  const response = await world.post('/v1/messages', { model: 'claude-long', max_tokens: 64_000, messages })
  expect(await response.json()).toMatchObject({
    content: [{ type: 'text', text: 'In January.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 7, output_tokens: 4 },
  })
  expect(streamFlags).toEqual([undefined, true])
})

test('a stream is passed on as it is, whatever was learned', async () => {
  channelId = await world.addChannel({ base_url, models: 'stream-model' })
  await (await world.chat({ model: 'stream-model' })).text()
  const text = await (await world.chat({ model: 'stream-model', stream: true })).text()
  expect(text).toContain('data: [DONE]')
})
