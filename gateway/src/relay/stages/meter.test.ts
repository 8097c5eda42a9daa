import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { faults, type Behaviour } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type LoggedRow, type RelayWorld } from '../../../test/relay-world'

/** A channel of each dialect, and a model that only it serves. */
const upstreams = {
  'openai-chat': { type: 1, model: 'gpt-4o' },
  'openai-responses': { type: 1, model: 'o3-pro' },
  'anthropic-messages': { type: 14, model: 'claude-opus-4-5' },
  gemini: { type: 24, model: 'gemini-2.5-flash' },
} as const
type Upstream = keyof typeof upstreams

const clients = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
type Client = (typeof clients)[number]

const ratios = (value: number) =>
  JSON.stringify(Object.fromEntries(Object.values(upstreams).map(({ model }) => [model, value])))

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  for (const { type, model } of Object.values(upstreams))
    if (model !== 'gpt-4o') await world.addChannel({ type, models: model })
  const prices = { ModelRatio: ratios(1), CompletionRatio: ratios(2), CacheRatio: ratios(0.1) }
  // What an empty answer costs is seen where it passes.
  await world.setOptions({ ...prices, EmptyAnswers: 'none' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const text = 'one two three four five six seven eight'

/** Sends a request in a client's dialect. */
function send(client: Client, model: string, { stream = false, limit = 1000 } = {}): Promise<Response> {
  const conversation = [{ role: 'user', content: 'hello' }]
  switch (client) {
    case 'openai-chat':
      return world.post('/v1/chat/completions', { model, stream, max_tokens: limit, messages: conversation })
    case 'openai-responses':
      return world.post('/v1/responses', { model, stream, max_output_tokens: limit, input: conversation })
    case 'anthropic-messages':
      return world.post('/v1/messages', { model, stream, max_tokens: limit, messages: conversation })
    default:
      return world.post(`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, {
        contents: [{ parts: [{ text: 'hello' }] }],
        generationConfig: { maxOutputTokens: limit },
      })
  }
}

async function rowOf(pendingResponse: Promise<Response>): Promise<LoggedRow> {
  const response = await pendingResponse
  await response.text()
  const id = response.headers.get('x-request-id')
  return eventually(async () => (await world.logs()).find((row) => row.request_id === id))
}

const otherOf = (row: LoggedRow): Record<string, unknown> => JSON.parse(row.other)

const pairs = (Object.keys(upstreams) as Upstream[]).flatMap((upstream) =>
  clients.flatMap((client) => [false, true].map((stream) => ({ client, upstream, stream }))),
)

describe.each(pairs)('a $client client on $upstream, streamed: $stream', ({ client, upstream, stream }) => {
  const runCall = (behaviour: Behaviour) => {
    world.simulator.next({ text, ...behaviour })
    return rowOf(send(client, upstreams[upstream].model, { stream }))
  }

  test('a client pays the prompt where only it was reported, and the completion as counted here', async () => {
    const row = await runCall(faults['usage-prompt-only'])
    expect(row).toMatchObject({ prompt_tokens: 100, completion_tokens: 8 })
    expect(otherOf(row)).toMatchObject({ estimated: true, usage_estimated: 'completion' })
  })

  test('a client pays the completion where only it was reported, and the prompt as counted here', async () => {
    const row = await runCall(faults['usage-completion-only'])
    expect(row.completion_tokens).toBe(50)
    expect(row.prompt_tokens).toBeWithin(5, 20)
    expect(otherOf(row)).toMatchObject({ estimated: true, usage_estimated: 'prompt' })
  })

  test('a client pays the estimate where the usage is impossible', async () => {
    const row = await runCall(faults['usage-impossible'])
    expect(row.prompt_tokens).toBeWithin(5, 20)
    expect(row.completion_tokens).toBe(8)
    expect(otherOf(row)).toMatchObject({
      usage_estimated: 'all',
      usage_capped: { prompt_tokens: 2 ** 29, completion_tokens: 2 ** 29 },
    })
  })

  test('a client pays nothing for a response without content whose usage is zero', async () => {
    const row = await runCall({ ...faults['usage-zero'], text: '' })
    expect(row).toMatchObject({ quota: 0, prompt_tokens: 0, completion_tokens: 0 })
    expect(otherOf(row)).not.toHaveProperty('estimated')
  })

  test('a client pays the local count for content whose usage is zero', async () => {
    const row = await runCall(faults['usage-zero'])
    expect(row.prompt_tokens).toBeWithin(5, 20)
    expect(row.completion_tokens).toBe(8)
    expect(otherOf(row)).toMatchObject({ usage_estimated: 'all' })
  })
})

test('a charged call records its milliseconds and both dialects', async () => {
  const { use_time_ms: milliseconds, ...details } = otherOf(
    await rowOf(send('gemini', upstreams['anthropic-messages'].model)),
  )
  expect(milliseconds).toBeNumber()
  expect(details).toMatchObject({
    dialect: 'gemini',
    endpoint: `/v1beta/models/${upstreams['anthropic-messages'].model}:generateContent`,
    admin_info: { upstream_dialect: 'anthropic-messages' },
  })
})

describe('a usage whose total exceeds its parts', () => {
  test.each(['openai-responses', 'gemini'] as const)(
    'reasoning is part of the completion where the total of %s says more',
    async (upstream) => {
      world.simulator.next({ text, ...faults['usage-sum-differs'] })
      const row = await rowOf(send('openai-chat', upstreams[upstream].model))
      expect(row).toMatchObject({ prompt_tokens: 100, completion_tokens: 450 })
    },
  )

  test('both parts stand against the total where the model does not reason', async () => {
    world.simulator.next({ text, usageOverride: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 100_000 } })
    const row = await rowOf(send('openai-chat', 'gpt-4o', { limit: 200_000 }))
    expect(row).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
    expect(otherOf(row)).toMatchObject({ usage_capped: { completion_tokens: 99_990 } })
  })
})

describe('an upstream that cuts a stream', () => {
  test.each(clients)(
    'a cut stream pays the reported prompt (%s) with its cache, and the completion as counted',
    async (client) => {
      world.simulator.next({
        text,
        promptTokens: 100_000,
        cachedTokens: 90_000,
        fault: { kind: 'cut', afterFrames: 7 },
      })
      const row = await rowOf(send(client, upstreams['anthropic-messages'].model, { stream: true }))
      // (10,000 + 90,000 x 0.1) of the prompt, and a few words
      expect(row.prompt_tokens).toBe(100_000)
      expect(row.quota).toBeWithin(19_002, 19_020)
      expect(otherOf(row)).toMatchObject({ ending: 'broken', usage_estimated: 'completion', cache_tokens: 90_000 })
    },
  )

  test('a cut stream pays the usage reported so far', async () => {
    world.simulator.next({ text, promptTokens: 5000, fault: { kind: 'cut', afterFrames: 3 } })
    const row = await rowOf(send('openai-chat', upstreams.gemini.model, { stream: true }))
    expect(row).toMatchObject({ prompt_tokens: 5000, completion_tokens: 3 })
    expect(otherOf(row)).not.toHaveProperty('estimated')
  })
})

describe('a stream that breaks off after a long start without content', () => {
  const start = 'data: {"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n'
  const reported =
    'data: {"id":"x","choices":[],"usage":{"prompt_tokens":70,"completion_tokens":0,"total_tokens":70}}\n\n'
  /** More than is held back for another channel. */
  const long = start.repeat(Math.ceil((1.1 * 1024 * 1024) / start.length))
  let upstream: Bun.Server<undefined>
  let ending = ''
  beforeAll(async () => {
    upstream = Bun.serve({
      port: 0,
      fetch: () => new Response(long + ending, { headers: { 'Content-Type': 'text/event-stream' } }),
    })
    await world.addChannel({ base_url: upstream.url.origin, models: 'gpt-4o-mute' })
    await world.setOptions({ ModelRatio: JSON.stringify({ 'gpt-4o-mute': 1 }) })
  })
  afterAll(async () => {
    await upstream.stop(true)
    await world.setOptions({ ModelRatio: ratios(1) })
  })

  test('a client that got nothing pays nothing where no usage was reported', async () => {
    ending = ''
    const row = await rowOf(send('openai-chat', 'gpt-4o-mute', { stream: true }))
    expect(row).toMatchObject({ quota: 0, prompt_tokens: 0, completion_tokens: 0 })
    expect(otherOf(row)).toMatchObject({ ending: 'broken', usage_estimated: 'all' })
  })

  test('a client that got nothing pays the usage that was reported', async () => {
    ending = reported
    const row = await rowOf(send('openai-chat', 'gpt-4o-mute', { stream: true }))
    expect(row).toMatchObject({ prompt_tokens: 70, completion_tokens: 0 })
    expect(otherOf(row)).toMatchObject({ ending: 'broken' })
  })
})

describe('a price per call', () => {
  beforeAll(() => world.setOptions({ ModelPrice: '{"gpt-4o":0.1}' }))
  afterAll(() => world.setOptions({ ModelPrice: '{}' }))

  test.each([false, true])('an empty response costs nothing at a price per call (streamed: %s)', async (stream) => {
    for (const behaviour of [faults['usage-zero'], { usage: 'none' } as const]) {
      world.simulator.next({ text: '', ...behaviour })
      expect(await rowOf(send('openai-chat', 'gpt-4o', { stream }))).toMatchObject({ quota: 0 })
    }
  })

  test('any other response costs the price per call', async () => {
    world.simulator.next({ text })
    expect(await rowOf(send('openai-chat', 'gpt-4o'))).toMatchObject({ quota: 50_000 })
  })
})

test('a completion beyond the requested limit is counted here', async () => {
  world.simulator.next({ text: 'words', usageOverride: { prompt_tokens: 5, completion_tokens: 500_000 } })
  const row = await rowOf(send('openai-chat', 'gpt-4o', { limit: 10 }))
  expect(row).toMatchObject({ prompt_tokens: 5, completion_tokens: 1 })
  expect(otherOf(row)).toMatchObject({ usage_estimated: 'completion', usage_capped: { completion_tokens: 500_000 } })
})

test('an upstream that reports implausible usage is recorded in the metrics and at its channel', async () => {
  world.simulator.next({ text, ...faults['usage-impossible'] })
  await (await send('openai-chat', 'gpt-4o')).text()
  const readings = world.ctx.metrics.read().find(({ name }) => name === 'tollgate_usage_capped_total')
  expect(readings?.samples.map(([series]) => series)).toContain('tollgate_usage_capped_total{kind="prompt_tokens"}')
  const channels = () =>
    world.ctx.database.query.selectFrom('channels').select('other_info').where('type', '=', 1).execute()
  const marked = await eventually(async () =>
    (await channels()).find(({ other_info }) => other_info.includes('capped')),
  )
  expect(JSON.parse(marked.other_info).capped_count).toBeGreaterThan(0)
})

test('the row says how a response was served', async () => {
  world.simulator.next({ text })
  expect(otherOf(await rowOf(send('openai-chat', upstreams['openai-responses'].model)))).toMatchObject({
    service_tier: 'default',
  })
  world.simulator.next({ text })
  const row = otherOf(await rowOf(send('openai-chat', upstreams['anthropic-messages'].model)))
  expect(row).toMatchObject({ service_tier: 'standard', claude: true })
  world.simulator.next({ text, imageTokens: 2, promptTokens: 10 })
  const modalities = otherOf(await rowOf(send('openai-chat', upstreams.gemini.model)))
  expect(modalities).toMatchObject({ prompt_modalities: { TEXT: 8, IMAGE: 2 } })
  expect(modalities).not.toHaveProperty('claude')
})
