import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

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

let bodies: Record<string, unknown>[] = []
const streamed = [...pieces, chunk({}, 'stop'), usage].join('')
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Record<string, unknown>
    bodies.push(body)
    if (body['stream'] === true) return new Response(streamed, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(whole)
  },
})

const vendors = {
  'qwen3-8b': 17,
  'qwen-plus': 17,
  'glm-4.6': 16,
  'doubao-seed-1-8-251228': 45,
  'Qwen/Qwen3-8B': 40,
  'kimi-k2.6': 25,
  'deepseek-v4-pro': 43,
  'deepseek/deepseek-r1': 20,
  'MiniMax-M3': 35,
  'deepseek-ai/DeepSeek-V4-Flash': 40,
  'glm-5.3': 16,
  'doubao-seed-evolving': 45,
  'Pro/zai-org/GLM-5.3': 40,
} as const
type Model = keyof typeof vendors

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({ SelfUseModeEnabled: 'true' })
  const base_url = String(upstream.url).replace(/\/$/, '')
  for (const [models, type] of Object.entries(vendors)) await world.addChannel({ base_url, type, models })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})
beforeEach(() => {
  bodies = []
})

const messages = [{ role: 'user', content: 'When does the harbour freeze?' }]
const send = (model: string, body: object) => world.post('/v1/messages', { model, max_tokens: 4000, messages, ...body })
const off = { thinking: { type: 'disabled' } }
const on = { thinking: { type: 'enabled', budget_tokens: 2000 } }

describe('thinking in the words of each vendor', () => {
  test.each([
    ['qwen3-8b', { enable_thinking: false }],
    ['qwen-plus', { enable_thinking: false }],
    ['glm-4.6', { thinking: { type: 'disabled' } }],
    ['doubao-seed-1-8-251228', { thinking: { type: 'disabled' } }],
    ['Qwen/Qwen3-8B', { enable_thinking: false }],
    ['kimi-k2.6', { thinking: { type: 'disabled' } }],
    ['deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    ['deepseek/deepseek-r1', { reasoning: { enabled: false } }],
    ['MiniMax-M3', { thinking: { type: 'disabled' } }],
    ['deepseek-ai/DeepSeek-V4-Flash', { enable_thinking: false }],
  ] as const satisfies [Model, object][])(
    'a Messages call without thinking switches it off at %s',
    async (model, members) => {
      const response = await send(model, off)
      expect([response.status, bodies]).toEqual([200, [expect.objectContaining(members)]])
      expect(bodies[0]).not.toHaveProperty('reasoning_effort')
      expect(response.headers.get('tollgate-dropped')).toBeNull()
    },
  )

  test.each([
    ['qwen-plus', { enable_thinking: true, thinking_budget: 2000 }],
    ['glm-4.6', { thinking: { type: 'enabled' } }],
    ['doubao-seed-1-8-251228', { thinking: { type: 'enabled' }, reasoning_effort: 'low' }],
    ['Qwen/Qwen3-8B', { enable_thinking: true, thinking_budget: 2000 }],
    ['deepseek-v4-pro', { thinking: { type: 'enabled' }, reasoning_effort: 'low' }],
    ['deepseek/deepseek-r1', { reasoning: { enabled: true, max_tokens: 2000 } }],
    ['MiniMax-M3', { thinking: { type: 'adaptive' } }],
    ['deepseek-ai/DeepSeek-V4-Flash', { enable_thinking: true, thinking_budget: 2000, reasoning_effort: 'high' }],
  ] as const satisfies [Model, object][])(
    'a Messages call with a budget of thinking tells it to %s',
    async (model, members) => {
      expect((await send(model, { ...on, stream: true })).status).toBe(200)
      expect(bodies).toEqual([expect.objectContaining(members)])
    },
  )

  // https://api-docs.deepseek.com/guides/thinking_mode, https://openrouter.ai/z-ai/glm-5.3/api
  test.each([
    ['deepseek-v4-pro', 'xhigh', 'high'],
    ['deepseek-v4-pro', 'max', 'max'],
    ['glm-5.3', 'medium', 'high'],
    ['glm-5.3', 'minimal', 'low'],
    ['glm-5.3', 'xhigh', 'max'],
    ['Pro/zai-org/GLM-5.3', 'low', 'high'],
    ['doubao-seed-evolving', 'xhigh', 'high'],
  ] as const satisfies [Model, string, string][])('%s is told the effort %s as %s', async (model, effort, word) => {
    await world.post('/v1/responses', { model, input: 'hi', reasoning: { effort } })
    expect(bodies).toEqual([expect.objectContaining({ reasoning_effort: word })])
  })

  test.each(['glm-5.3', 'Pro/zai-org/GLM-5.3'] as const)('%s always thinks, which is named', async (model) => {
    const response = await send(model, off)
    expect(
      bodies.map(({ thinking, enable_thinking, reasoning_effort }) => [thinking, enable_thinking, reasoning_effort]),
    ).toEqual([[undefined, undefined, undefined]])
    expect(response.headers.get('tollgate-dropped')).toContain('always')
  })

  test('an effort of Responses and a budget of Google’s dialect reach DashScope as a switch and a budget', async () => {
    await world.post('/v1/responses', { model: 'qwen-plus', input: 'hi', reasoning: { effort: 'low' } })
    const generationConfig = { thinkingConfig: { thinkingBudget: 0 } }
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    await world.post('/v1beta/models/qwen-plus:generateContent', { contents, generationConfig })
    expect(bodies.map(({ enable_thinking: flag, thinking_budget: tokens }) => [flag, tokens])).toEqual([
      [true, 2048],
      [false, undefined],
    ])
  })

  test('a call in one piece that asks for thinking is streamed from DashScope and gathered', async () => {
    const response = await send('qwen3-8b', on)
    const { content, usage: reportedUsage } = (await response.json()) as { content: { type: string }[]; usage: object }
    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    expect(reportedUsage).toMatchObject({ input_tokens: 7, output_tokens: 4 })
    expect(bodies).toEqual([expect.objectContaining({ stream: true, stream_options: { include_usage: true } })])
  })

  test('a chat in one piece that says nothing of thinking switches it off where the model would refuse', async () => {
    const response = await world.chat({ model: 'qwen3-8b' })
    expect([response.status, bodies[0]?.['enable_thinking'], bodies[0]?.['stream']]).toEqual([200, false, undefined])
  })

  test('sampling that a model does not take is left out and named to the caller', async () => {
    const response = await world.chat({ model: 'kimi-k2.6', temperature: 0.3 })
    expect([response.status, bodies[0]]).toEqual([200, expect.not.objectContaining({ temperature: 0.3 })])
    expect(response.headers.get('tollgate-dropped')).toBe('temperature')
  })
})
