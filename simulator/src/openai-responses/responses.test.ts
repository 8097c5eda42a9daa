import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema, type Reply, type Json } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer sk-test' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const respond = (more: object = {}): Promise<Reply> =>
  send('/v1/responses', { model: 'gpt-5', input: [{ role: 'user', content: 'hello there' }], ...more })
const tools = ['a', 'b'].map((name) => ({ type: 'function', name, parameters: schema }))
const reasoning = { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] }
const search = { type: 'web_search' }

/** The output that a stream's events build, piece by piece. */
function buildOutput({ events }: Reply): Json[] {
  const output: Json[] = []
  for (const { data } of events) {
    const item = output[data.output_index]
    if (data.type === 'response.output_item.added') output[data.output_index] = structuredClone(data.item)
    else if (data.type.endsWith('part.added'))
      partsOf(item)[data.content_index ?? data.summary_index] = { ...data.part }
    else if (data.type.endsWith('annotation.added')) {
      item.content[data.content_index].annotations[data.annotation_index] = data.annotation
    } else if (data.type.endsWith('.delta')) grow(item, data)
    else if (data.type === 'response.output_item.done') {
      const { status, action, encrypted_content: cipher } = data.item
      Object.assign(item, {
        ...(status && { status }),
        ...(action && { action }),
        ...(cipher && { encrypted_content: cipher }),
      })
      expect(item).toEqual(data.item)
    }
  }
  return output
}

const partsOf = (item: Json): Json[] => (item.type === 'reasoning' ? item.summary : item.content)

function grow(item: Json, { type, delta, ...at }: Json): void {
  if (type === 'response.function_call_arguments.delta') item.arguments += delta
  else {
    const part = partsOf(item)[at.content_index ?? at.summary_index]
    part[part.type === 'refusal' ? 'refusal' : 'text'] += delta
  }
}

test('a response in the shape of the vendor', async () => {
  simulator.next({ tokens: 5 })
  const { json } = await respond()
  expect(json).toMatchObject({
    id: 'resp_sim1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'gpt-5',
    usage: {
      input_tokens: 6,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 11,
    },
  })
  expect(json.output).toEqual([
    {
      id: 'msg_sim1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'the quick brown fox jumps', annotations: [], logprobs: [] }],
    },
  ])
  expect(simulator.served.byKey('sk-test')).toMatchObject({ completed: 1, promptTokens: 6, completionTokens: 5 })
})

test('the events of a stream in their order, numbered', async () => {
  simulator.next({ thinking: 2, searches: 1, tokens: 2 })
  const { events } = await respond({ stream: true, ...reasoning })
  expect(events.map(({ name }) => name.replace('response.', ''))).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
    'output_item.added',
    'web_search_call.in_progress',
    'web_search_call.searching',
    'web_search_call.completed',
    'output_item.done',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.delta',
    'output_text.annotation.added',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'completed',
  ])
  expect(events.map(({ data }) => data.sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.every(({ name, data }) => name === data.type)).toBe(true)
})

test.each([
  ['text', {}],
  ['reasoning', reasoning],
  ['hidden reasoning', { reasoning: { effort: 'high' } }],
  ['parallel calls', { tools, ...reasoning }],
  ['a search', { tools: [search] }],
  ['a structured answer', { text: { format: { type: 'json_schema', name: 'x', schema } } }],
  ['an answer that is cut', { max_output_tokens: 3 }],
  ['a refusal', { model: 'sim:end=refusal' }],
  ['a failure', { model: 'sim-fault-answer-failed' }],
])('a stream says the same as a whole answer: %s', async (_name, more) => {
  const { json: whole } = await respond(more)
  const first = simulator.requests[0]?.counted
  simulator.reset()
  const stream = await respond({ ...more, stream: true })
  expect(stream.events.at(-1)?.data.response).toEqual(whole)
  expect(stream.events.at(-1)?.name).toBe(`response.${whole.status}`)
  expect(buildOutput(stream)).toEqual(whole.output)
  expect(simulator.requests[0]?.counted).toEqual(first ?? null)
})

test('reasons as much as may be read', async () => {
  const item = async (more: object) => (await respond(more)).json.output[0]
  expect(await item({ reasoning: { effort: 'low' } })).toEqual({ id: 'rs_sim1', type: 'reasoning', summary: [] })
  const open = await item(reasoning)
  expect(open.summary).toEqual([{ type: 'summary_text', text: 'weighing each part of' }])
  expect(open.encrypted_content).not.toBe('')
  simulator.next({ redacted: true })
  expect(await item(reasoning)).toMatchObject({ summary: [] })
  expect((await respond({ reasoning: { effort: 'none' } })).json.output[0].type).toBe('message')
})

test('calls every tool, with the arguments asked for, and answers their results', async () => {
  simulator.next({ toolArguments: [{ city: 'Ulm' }] })
  const { json } = await respond({ tools })
  expect(json.output.map(({ call_id, name, arguments: text }: Json) => [call_id, name, JSON.parse(text)])).toEqual([
    ['call_sim1_0', 'a', { city: 'Ulm' }],
    ['call_sim1_1', 'b', { city: 'sample', days: 7 }],
  ])
  const results = json.output.map(({ call_id }: Json) => ({ type: 'function_call_output', call_id, output: 'x' }))
  const response = await respond({ tools, input: [{ role: 'user', content: 'hello' }, ...json.output, ...results] })
  expect(response.json.output.map(({ type }: Json) => type)).toEqual(['message'])
  expect((await respond({ tools, tool_choice: { type: 'function', name: 'b' } })).json.output).toHaveLength(1)
  expect((await respond({ tools, parallel_tool_calls: false })).json.output).toHaveLength(1)
})

test.each([
  ['sim-fault-answer-incomplete', 'incomplete', { reason: 'max_output_tokens' }],
  ['sim-fault-answer-filtered', 'incomplete', { reason: 'content_filter' }],
  ['sim-fault-answer-failed', 'failed', null],
])('a response ends with its status: %s', async (model, status, details) => {
  const { json } = await respond({ model })
  expect([json.status, json.incomplete_details]).toEqual([status, details])
})

test('a failed response tells why and costs nothing', async () => {
  const { json } = await respond({ model: 'sim-fault-answer-failed' })
  expect([json.error.code, json.usage]).toEqual(['server_error', null])
  expect(simulator.served.total.completionTokens).toBe(0)
})

test('a refusal has a content part of its own', async () => {
  const { json } = await respond({ model: 'sim:end=refusal' })
  expect(json.output[0].content).toEqual([{ type: 'refusal', refusal: 'I cannot help with that.' }])
})

test('an error inside a stream of Responses ends it', async () => {
  const { events } = await respond({ model: 'sim-fault-error-after-frames', stream: true })
  expect(events.at(-1)).toMatchObject({ name: 'error', data: { type: 'error', sequence_number: 3, code: 'simulated' } })
})

test('counts tokens, and takes no request without input', async () => {
  expect(
    (await send('/v1/responses/input_tokens', { model: 'm', instructions: 'be brief', input: 'hi' })).json,
  ).toEqual({
    object: 'response.input_tokens',
    input_tokens: 9,
  })
  expect(await respond({ input: undefined })).toMatchObject({
    status: 400,
    json: { error: { type: 'invalid_request_error' } },
  })
})

test('calls one tool by its name, a namespaced one with its namespace and one for free text with its input', async () => {
  const grouped = [
    { type: 'namespace', name: 'group', tools: [{ type: 'function', name: 'look', parameters: schema }] },
    { type: 'custom', name: 'patch' },
  ]
  simulator.next({ tool: /^look$/ })
  expect((await respond({ tools: grouped })).json.output).toMatchObject([
    { type: 'function_call', name: 'look', namespace: 'group' },
  ])
  simulator.next({ tool: /^patch$/, toolArguments: ['+a line'] })
  const { events } = await respond({ tools: grouped, stream: true })
  expect(events.at(-1)?.data.response.output).toMatchObject([
    { type: 'custom_tool_call', name: 'patch', input: '+a line' },
  ])
})
