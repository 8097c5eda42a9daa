import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const model = 'gemini-3-pro'
const gemini = 24

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: gemini, models: model })
  await world.setOptions({ ModelRatio: JSON.stringify({ [model]: 1 }) })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 }
const parts = [
  { functionCall: { name: 'move', willContinue: true }, thoughtSignature: 'c2ln' },
  {
    functionCall: {
      partialArgs: [{ jsonPath: '$.to[0].city', stringValue: 'Bos', willContinue: true }],
      willContinue: true,
    },
  },
  { functionCall: { partialArgs: [{ jsonPath: '$.to[0].city', stringValue: 'ton' }], willContinue: true } },
  { functionCall: { partialArgs: [{ jsonPath: "$.to[1]['zip code']", numberValue: 7 }] } },
]
const args = { to: [{ city: 'Boston' }, { 'zip code': 7 }] }
const response = (some: readonly object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: some }, index: 0, ...more }],
  usageMetadata,
  modelVersion: model,
  responseId: 'r1',
})
const stop = { finishReason: 'STOP' }
const events = [...parts.map((part) => response([part])), response([], stop)]
const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const tool = { name: 'move', description: 'moves', parameters: { type: 'object', properties: {} } }
const messages = [{ role: 'user', content: 'hello' }]
const clients = {
  chat: ['/v1/chat/completions', { model, messages, tools: [{ type: 'function', function: tool }] }],
  messages: [
    '/v1/messages',
    { model, max_tokens: 50, messages, tools: [{ name: 'move', input_schema: tool.parameters }] },
  ],
  responses: ['/v1/responses', { model, input: 'hello', tools: [{ type: 'function', ...tool }] }],
} as const
type Client = keyof typeof clients

/** Returns the arguments of the only call in a response. */
const argumentsIn: Readonly<Record<Client, (answer: string) => unknown>> = {
  chat: (responseText) => {
    const { choices } = JSON.parse(responseText) as {
      choices: { message: { tool_calls: { function: { arguments: string } }[] } }[]
    }
    expect(choices[0]?.message.tool_calls).toHaveLength(1)
    return JSON.parse(choices[0]?.message.tool_calls[0]?.function.arguments ?? '')
  },
  messages: (responseText) => {
    const { content } = JSON.parse(responseText) as { content: { type: string; input?: unknown }[] }
    const calls = content.filter(({ type }) => type === 'tool_use')
    expect(calls).toHaveLength(1)
    return calls[0]?.input
  },
  responses: (responseText) => {
    const { output } = JSON.parse(responseText) as { output: { type: string; arguments?: string }[] }
    const calls = output.filter(({ type }) => type === 'function_call')
    expect(calls).toHaveLength(1)
    return JSON.parse(calls[0]?.arguments ?? '')
  },
}

/** Matches the argument fragments that a client joins. */
const pieces: Readonly<Record<Client, RegExp>> = {
  chat: /"arguments":("(?:[^"\\]|\\.)*")/g,
  messages: /"partial_json":("(?:[^"\\]|\\.)*")/g,
  responses: /response\.function_call_arguments\.delta",[^\n]*?"delta":("(?:[^"\\]|\\.)*")/g,
}

/** Matches the beginning of a call. */
const starts: Readonly<Record<Client, RegExp>> = {
  chat: /"name":"move"/g,
  messages: /"type":"tool_use"/g,
  responses: /data: {"type":"response\.output_item\.added"[^\n]*"type":"function_call"/g,
}

const names = Object.keys(clients) as Client[]

test.each(names)('a whole tool call in parts reaches a client of %s as one call', async (client) => {
  const [path, body] = clients[client]
  world.simulator.next({
    fault: { kind: 'body', contentType: 'application/json', text: JSON.stringify(response(parts, stop)) },
  })
  const clientResponse = await world.post(path, body)
  expect(clientResponse.status).toBe(200)
  expect(argumentsIn[client](await clientResponse.text())).toEqual(args)
})

test.each(names)('a streamed tool call in parts reaches a client of %s as one call', async (client) => {
  const [path, body] = clients[client]
  world.simulator.next({ fault: { kind: 'body', contentType: 'text/event-stream', text: stream } })
  const text = await (await world.post(path, { ...body, stream: true })).text()
  const received = [...text.matchAll(pieces[client])].map(([, piece = '""']) => JSON.parse(piece) as string)
  expect(JSON.parse(received.join(''))).toEqual(args)
  expect([...text.matchAll(starts[client])]).toHaveLength(1)
})

test('a tool call in parts reaches a client of Gemini unchanged', async () => {
  world.simulator.next({ fault: { kind: 'body', contentType: 'text/event-stream', text: stream } })
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  const clientResponse = await world.post(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents })
  expect(await clientResponse.text()).toBe(stream)
  expect((await world.logs()).at(-1)).toMatchObject({ prompt_tokens: 5, completion_tokens: 7 })
})
