import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema, type Reply, type Json } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer co-key' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const messages = [{ role: 'user', content: 'hello there' }]
const chat = (more: object = {}): Promise<Reply> => send('/v2/chat', { model: 'command-a', messages, ...more })
const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name, parameters: schema } }))
const thinking = { thinking: { type: 'enabled' } }

/** The message that a stream's events build. */
function buildMessage({ events }: Reply): Json {
  const content: Json[] = []
  const calls: Json[] = []
  let end: Json = null
  for (const { name, data } of events) {
    const message = data.delta?.message
    if (name === 'content-start') content[data.index] = { ...message.content }
    if (name === 'content-delta')
      for (const [kind, text] of Object.entries(message.content)) content[data.index][kind] += text
    if (name === 'tool-call-start') calls[data.index] = structuredClone(message.tool_calls)
    if (name === 'tool-call-delta') calls[data.index].function.arguments += message.tool_calls.function.arguments
    if (name === 'message-end') end = { id: data.id, ...data.delta }
  }
  const parts = { ...(content.length > 0 && { content }), ...(calls.length > 0 && { tool_calls: calls }) }
  return { ...end, message: { role: 'assistant', ...parts } }
}

test('an answer in the shape of the vendor', async () => {
  simulator.next({ tokens: 3 })
  const counts = { input_tokens: 6, output_tokens: 3 }
  expect((await chat()).json).toEqual({
    id: 'cohere-sim1',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: 'the quick brown' }] },
    usage: { billed_units: counts, tokens: counts },
  })
  expect(simulator.served.byKey('co-key')).toMatchObject({ promptTokens: 6, completionTokens: 3 })
})

test.each([
  ['text', {}],
  ['thinking', thinking],
  ['parallel calls', { tools, ...thinking }],
  ['a structured answer', { response_format: { type: 'json_object', json_schema: schema } }],
  ['an answer that is cut', { max_tokens: 3 }],
  ['an answer that is stopped', { stop_sequences: ['fox'] }],
])('a stream says the same as a whole answer: %s', async (_name, more) => {
  const { json: whole } = await chat(more)
  const first = simulator.requests[0]?.counted
  simulator.reset()
  const stream = await chat({ ...more, stream: true })
  expect(buildMessage(stream)).toEqual(whole)
  expect(stream.events.at(-1)?.data).toBe('[DONE]')
  expect(simulator.requests[0]?.counted).toEqual(first ?? null)
})

test('a chat of Cohere ends with its reason', async () => {
  const reason = async (more: object) => (await chat(more)).json.finish_reason
  expect(await reason({ tools })).toBe('TOOL_CALL')
  expect(await reason({ tools, tool_choice: 'NONE' })).toBe('COMPLETE')
  expect(await reason({ max_tokens: 1 })).toBe('MAX_TOKENS')
  expect(await reason({ stop_sequences: ['fox'] })).toBe('STOP_SEQUENCE')
})

test('errors of Cohere have a message', async () => {
  expect(await chat({ model: 'sim-fault-status-429' })).toMatchObject({
    status: 429,
    json: { message: 'Simulated upstream error 429' },
  })
  const { events } = await chat({ model: 'sim-fault-error-after-frames', stream: true })
  expect(events.at(-1)).toMatchObject({ name: 'message-end', data: { delta: { finish_reason: 'ERROR' } } })
})

test('Cohere returns embeddings by type', async () => {
  const { json } = await send('/v2/embed', { model: 'embed-v4.0', texts: ['one', 'two'], embedding_types: ['float'] })
  expect(json.embeddings.float.map((vector: number[]) => vector.length)).toEqual([8, 8])
  expect(json).toMatchObject({ response_type: 'embeddings_by_type', meta: { billed_units: { input_tokens: 2 } } })
})

const ranking = { query: 'red apples', documents: ['blue sky', 'red apples grow', { text: 'red car' }] }

test('Cohere ranks documents in both versions', async () => {
  const two = await send('/v2/rerank', { model: 'rerank-v3.5', ...ranking, top_n: 2 })
  expect(two.json).toEqual({
    id: 'cohere-sim1',
    results: [
      { index: 1, relevance_score: 0.9 },
      { index: 2, relevance_score: 0.5 },
    ],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  })
  const one = await send('/v1/rerank', { model: 'rerank-english-v3.0', ...ranking, return_documents: true })
  expect(one.json).toMatchObject({ meta: { api_version: { version: '1' } } })
  expect(one.json.results.map((result: Json) => result.document.text)).toEqual([
    'red apples grow',
    'red car',
    'blue sky',
  ])
  expect(await send('/cohere/v1/rerank', { model: 'x' })).toMatchObject({
    status: 400,
    json: { message: 'invalid request: query is required' },
  })
})
