import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema, type Reply, type Json } from '../test/asking'

const { simulator, send } = await asking({ 'x-api-key': 'sk-ant', 'anthropic-version': '2023-06-01' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const hello = [{ role: 'user', content: 'hello there' }]
const messages = (more: object = {}): Promise<Reply> =>
  send('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 4096, messages: hello, ...more })
const tools = ['a', 'b'].map((name) => ({ name, input_schema: schema }))
const search = { type: 'web_search_20250305', name: 'web_search' }

/** The message that a stream's events build, by the vendor's rules. */
function buildMessage({ events }: Reply): Json {
  let message: Json = null
  const inputs: string[] = []
  for (const { name, data } of events) {
    expect(data.type).toBe(name)
    if (name === 'message_start') message = structuredClone(data.message)
    if (name === 'content_block_start') message.content[data.index] = structuredClone(data.content_block)
    if (name === 'content_block_delta') grow(message.content[data.index], data, inputs)
    if (name === 'message_delta') {
      Object.assign(message, data.delta)
      Object.assign(message.usage, data.usage)
    }
  }
  for (const [index, input] of inputs.entries()) if (input) message.content[index].input = JSON.parse(input)
  return message
}

function grow(block: Json, { index, delta }: Json, inputs: string[]): void {
  if (delta.type === 'text_delta') block.text += delta.text
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking
  if (delta.type === 'signature_delta') block.signature = delta.signature
  if (delta.type === 'citations_delta') block.citations.push(delta.citation)
  if (delta.type === 'input_json_delta') inputs[index] = (inputs[index] ?? '') + delta.partial_json
}

test('a message in the shape of the vendor', async () => {
  simulator.next({ tokens: 5 })
  const { json, headers } = await messages()
  expect(json).toEqual({
    id: 'msg_sim1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'the quick brown fox jumps' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 6,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      service_tier: 'standard',
      output_tokens: 5,
    },
  })
  expect(headers.get('request-id')).toBe('req_sim1')
  expect(simulator.served.byKey('sk-ant')).toMatchObject({ completed: 1, promptTokens: 6, completionTokens: 5 })
})

test('the events of a stream in their order', async () => {
  simulator.next({ thinking: 1, tokens: 1 })
  const { events } = await messages({ stream: true, tools: tools.slice(0, 1) })
  expect(events.map(({ name }) => name)).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    ...Array(6).fill('content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(events[6]?.data.content_block).toEqual({ type: 'tool_use', id: 'toolu_sim1_0', name: 'a', input: {} })
  expect(events.at(-2)?.data.usage).toMatchObject({ input_tokens: 6, output_tokens: 2 })
})

test.each([
  ['text', {}],
  ['thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
  ['silent thinking', { thinking: { type: 'adaptive', display: 'omitted' } }],
  ['parallel tools', { tools }],
  ['a search with citations', { tools: [search] }],
  ['a structured answer', { output_config: { format: { type: 'json_schema', schema } } }],
  ['an answer that is cut', { max_tokens: 3 }],
  ['an answer that is stopped', { stop_sequences: ['fox'] }],
  ['a cached prompt', { system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }] }],
])('a stream says the same as a whole answer: %s', async (_name, more) => {
  const whole = await messages(more)
  const first = simulator.requests[0]?.counted
  simulator.reset()
  const stream = await messages({ ...more, stream: true })
  expect(buildMessage(stream)).toEqual(whole.json)
  expect(first?.completionTokens).toBe(whole.json.usage.output_tokens)
  expect(simulator.requests[0]?.counted).toEqual(first ?? null)
})

test('thinks when asked to, and in cipher when told so', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 }
  const { json } = await messages({ thinking })
  expect(json.content[0]).toMatchObject({ type: 'thinking', thinking: 'weighing each part of' })
  expect(json.content[0].signature).not.toBe('')
  expect(json.usage).toMatchObject({ output_tokens: 12, output_tokens_details: { thinking_tokens: 4 } })
  simulator.next({ redacted: true })
  const hidden = await messages({ thinking })
  expect(hidden.json.content.map((block: Json) => block.type)).toEqual(['redacted_thinking', 'text'])
})

test('calls every tool, with the arguments asked for, and answers their results', async () => {
  simulator.next({ toolArguments: [{ city: 'Ulm' }] })
  const { json } = await messages({ tools })
  expect(json.stop_reason).toBe('tool_use')
  expect(json.content.map((block: Json) => [block.name, block.input])).toEqual([
    ['a', { city: 'Ulm' }],
    ['b', { city: 'sample', days: 7 }],
  ])
  const results = [
    { role: 'assistant', content: json.content },
    {
      role: 'user',
      content: json.content.map(({ id }: Json) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })),
    },
  ]
  const response = await messages({ tools, messages: [...hello, ...results] })
  expect(response.json).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] })
})

test('tool choices are heeded', async () => {
  const names = async (tool_choice: object) =>
    (await messages({ tools, tool_choice })).json.content.map((block: Json) => block.name)
  expect(await names({ type: 'tool', name: 'b' })).toEqual(['b'])
  expect(await names({ type: 'auto', disable_parallel_tool_use: true })).toEqual(['a'])
  expect(await names({ type: 'none' })).toEqual([undefined])
})

test('a search is told, cited and counted', async () => {
  simulator.next({ searches: 2 })
  const { json } = await messages({ tools: [search] })
  expect(json.content.map((block: Json) => block.type)).toEqual([
    'server_tool_use',
    'web_search_tool_result',
    'server_tool_use',
    'web_search_tool_result',
    'text',
  ])
  expect(json.content[4].citations).toHaveLength(2)
  expect(json.usage.server_tool_use).toEqual({ web_search_requests: 2, web_fetch_requests: 0 })
})

test.each([
  ['sim:end=refusal', { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: null } }],
  ['sim:end=pause', { stop_reason: 'pause_turn' }],
  ['sim:tokens=3;end=length', { stop_reason: 'max_tokens' }],
  ['sim:end=context-window', { stop_reason: 'model_context_window_exceeded' }],
])('a message stops for a reason: %s', async (model, expected) => {
  expect((await messages({ model })).json).toMatchObject(expected)
})

test('a stop sequence is named', async () => {
  const { json } = await messages({ stop_sequences: ['zebra', ' fox'] })
  expect(json).toMatchObject({
    content: [{ text: 'the quick brown' }],
    stop_reason: 'stop_sequence',
    stop_sequence: ' fox',
    usage: { output_tokens: 3 },
  })
})

test('writes to the cache for as long as the marks say, and reads from it when told', async () => {
  const text = (ttl?: string) => ({
    type: 'text',
    text: 'x'.repeat(400),
    cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) },
  })
  const usage = async (content: object[], cachedTokens?: number) => {
    simulator.next({ promptTokens: 100, cachedTokens })
    return (await messages({ messages: [{ role: 'user', content }] })).json.usage
  }
  expect(await usage([text()])).toMatchObject({
    input_tokens: 50,
    cache_creation_input_tokens: 50,
    cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 0 },
  })
  expect(await usage([text(), text('1h')], 30)).toMatchObject({
    input_tokens: 20,
    cache_read_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 25, ephemeral_1h_input_tokens: 25 },
  })
})

test('counts tokens and lists models', async () => {
  const counted = await send('/v1/messages/count_tokens', { model: 'm', system: 'be brief', messages: hello })
  expect(counted.json).toEqual({ input_tokens: 11 })
  const page = await send('/v1/models?limit=1&after_id=gpt-4o')
  expect(page.json).toMatchObject({
    data: [{ type: 'model', id: 'gpt-4o-mini', display_name: 'gpt-4o-mini' }],
    has_more: true,
    first_id: 'gpt-4o-mini',
    last_id: 'gpt-4o-mini',
  })
  expect((await send('/v1/models/gpt-4o')).json.id).toBe('gpt-4o')
  expect((await send('/v1/models/none')).json.error.type).toBe('not_found_error')
})

test.each([
  [{ max_tokens: undefined }, 'max_tokens: Field required'],
  [{ messages: [] }, 'messages: at least one message is required'],
  [
    { thinking: { type: 'enabled', budget_tokens: 4096 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`',
  ],
])('Messages refuses a request with %j', async (more, message) => {
  const { status, json } = await messages(more)
  expect([status, json]).toEqual([
    400,
    { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_sim' },
  ])
})

test.each([
  ['sim-fault-status-529', 529, 'overloaded_error'],
  ['sim-fault-status-429', 429, 'rate_limit_error'],
  ['sim-fault-status-401', 401, 'authentication_error'],
])('an error of Messages has a status and a type: %s', async (model, status, type) => {
  const response = await messages({ model })
  expect([response.status, response.json.error.type]).toEqual([status, type])
})

test('an error inside a stream of Messages is an event', async () => {
  const { status, events } = await messages({ model: 'sim-fault-overloaded-after-frames', stream: true })
  expect(status).toBe(200)
  expect(events.at(-1)).toEqual({
    name: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_sim' },
  })
  expect(events).toHaveLength(4)
})

test('usage may be wrong or missing', async () => {
  expect((await messages({ model: 'sim-fault-usage-negative' })).json.usage).toEqual({
    input_tokens: -5,
    output_tokens: -7,
  })
  expect((await messages({ model: 'sim:usage=none' })).json).not.toHaveProperty('usage')
})
