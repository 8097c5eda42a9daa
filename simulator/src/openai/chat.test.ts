import { afterAll, beforeEach, expect, test } from 'bun:test'

import { asking, schema, type Reply, type Json } from '../test/asking'

const { simulator, send } = await asking({ authorization: 'Bearer sk-test' })
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const chat = (more: object = {}): Promise<Reply> =>
  send('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'hello there' }], ...more })
const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name, parameters: schema } }))

/** The message that a stream's deltas build. */
function buildMessage({ events }: Reply): Json {
  const message: Json = {}
  for (const { data } of events) {
    const { tool_calls: calls, ...delta } = data.choices?.[0]?.delta ?? {}
    for (const [name, value] of Object.entries(delta)) {
      message[name] =
        typeof value === 'string' && name !== 'role' ? (message[name] ?? '') + value : (value ?? message[name] ?? null)
    }
    for (const { index, ...call } of calls ?? []) {
      message.tool_calls ??= []
      if (call.id) message.tool_calls[index] = structuredClone(call)
      else message.tool_calls[index].function.arguments += call.function.arguments
    }
  }
  return message
}

test.each([
  ['text', {}],
  ['thoughts', { model: 'sim:think=3' }],
  ['parallel tools', { tools }],
  ['a plan and a tool', { model: 'sim:text=a%20plan;tools=1', tools }],
  ['a search', { model: 'sim:search=2' }],
  ['a refusal', { model: 'sim:end=refusal' }],
  ['an answer that is stopped', { stop: ['fox', 'zebra'] }],
])('a stream says the same as a whole answer: %s', async (_name, more) => {
  const { json } = await chat(more)
  // The ids of calls have the number of their request.
  simulator.reset()
  expect(buildMessage(await chat({ ...more, stream: true }))).toEqual(json.choices[0].message)
})

test('thoughts are told beside the answer and counted', async () => {
  const { json } = await chat({ model: 'sim:think=3;tokens=2' })
  expect(json.choices[0].message).toMatchObject({ reasoning_content: 'weighing each part', content: 'the quick' })
  expect(json.usage).toMatchObject({ completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } })
  const { json: hidden } = await chat({ model: 'sim:think=3;redacted' })
  expect(hidden.choices[0].message).not.toHaveProperty('reasoning_content')
})

test('tool choices are heeded', async () => {
  const names = async (more: object) =>
    (await chat({ tools, ...more })).json.choices[0].message.tool_calls?.map((call: Json) => call.function.name)
  expect(await names({ tool_choice: { type: 'function', function: { name: 'b' } } })).toEqual(['b'])
  expect(await names({ parallel_tool_calls: false })).toEqual(['a'])
  expect(await names({ tool_choice: 'none' })).toBeUndefined()
})

test.each([
  ['sim:end=content-filter', 'content_filter'],
  ['sim:end=length', 'length'],
])('a chat with %s ends with %s', async (model, reason) => {
  expect((await chat({ model })).json.choices[0].finish_reason).toBe(reason)
})

test('a failed answer ends in an error', async () => {
  expect((await chat({ model: 'sim-fault-answer-failed' })).json.error.code).toBe('simulated')
  const { events } = await chat({ model: 'sim-fault-answer-failed', stream: true })
  expect(events.at(-1)?.data.error.code).toBe('simulated')
  expect(events).toHaveLength(11)
})
