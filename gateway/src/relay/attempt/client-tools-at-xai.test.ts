import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

const patch = '*** Begin Patch\n*** End Patch'
const functionCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_2',
  name: 'apply_patch',
  arguments: JSON.stringify({ input: patch }),
  status: 'completed',
}
const response = {
  id: 'resp_x',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  model: 'grok-4.6',
  output: [functionCall],
  usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
}
const events = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...functionCall, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: functionCall.arguments },
  { type: 'response.output_item.done', output_index: 0, item: functionCall },
  { type: 'response.completed', response },
]
const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

let bodies: Record<string, unknown>[] = []
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Record<string, unknown>
    bodies.push({ path: new URL(request.url).pathname, ...body })
    if (body['stream'] === true) return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(response)
  },
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({ SelfUseModeEnabled: 'true' })
  await world.addChannel({ base_url: String(upstream.url).replace(/\/$/, ''), type: 48, models: 'grok-4.6' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})
beforeEach(() => {
  bodies = []
})

const search = { type: 'web_search' }
const request = {
  model: 'grok-4.6',
  store: false,
  tools: [{ type: 'custom', name: 'apply_patch', description: 'Changes files.' }, search],
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
    { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' },
  ],
}

test.each([false, true])(
  'tools of free text are functions at xAI, which refuses others, and the client’s again in the response (stream: %p)',
  async (isStream) => {
    const text = await (await world.post('/v1/responses', { ...request, stream: isStream })).text()
    expect(bodies).toEqual([
      expect.objectContaining({
        path: '/v1/responses',
        tools: [expect.objectContaining({ type: 'function', name: 'apply_patch' }), search],
        input: [
          { type: 'message', role: 'user', content: 'go' },
          {
            type: 'function_call',
            call_id: 'call_1',
            name: 'apply_patch',
            arguments: JSON.stringify({ input: patch }),
          },
          { type: 'function_call_output', call_id: 'call_1', output: 'done' },
        ],
      }),
    ])
    expect(text).toContain('"custom_tool_call"')
    expect(text).toContain(JSON.stringify(patch))
    expect(text).not.toContain('"function_call"')
  },
)

test('a request without such tools reaches xAI as it is', async () => {
  const plain = { ...request, tools: [search], input: [request.input[0]] }
  const text = await (await world.post('/v1/responses', plain)).json()
  expect(bodies[0]).toMatchObject({ input: plain.input, tools: [search] })
  expect(text).toMatchObject({ id: 'resp_x', output: [functionCall] })
})
