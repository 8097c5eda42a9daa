import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({ SelfUseModeEnabled: 'true' })
  await world.addChannel({ type: 4, models: 'llama3.3,embeddinggemma' })
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ models: 'mine:latest' })
})
beforeEach(() => world.simulator.reset())
afterAll(() => world[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'hello there' }]
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const lastRow = async () => (await world.logs()).at(-1)

describe('a chat of an Ollama client', () => {
  test.each(['gpt-4o', 'claude-sonnet-4-5'])('a chat with %s streams lines by default', async (model) => {
    world.simulator.next({ tokens: 3 })
    const response = await world.post('/api/chat', { model, messages })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = linesOf(await response.text())
    const text = lines.map(({ message }) => (message as { content: string }).content).join('')
    expect(text).toBe('the quick brown')
    expect(lines.slice(0, -1).every(({ done }) => done === false)).toBe(true)
    expect(lines.at(-1)).toMatchObject({
      model,
      done: true,
      done_reason: 'stop',
      total_duration: expect.any(Number),
      prompt_eval_count: world.simulator.requests[0]?.counted?.promptTokens,
      eval_count: 3,
    })
  })

  test('a chat that asks for no stream gets one object, with calls whose arguments are objects', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'look', parameters: { type: 'object', properties: { a: { type: 'integer' } } } },
      },
    ]
    const response = await world.post('/api/chat', { model: 'gpt-4o', messages, tools, stream: false })
    expect(await response.json()).toMatchObject({
      message: {
        role: 'assistant',
        tool_calls: [{ function: { name: 'look', arguments: { a: expect.any(Number) } } }],
      },
      done: true,
    })
  })

  test('a response names in its header what only Ollama could be told', async () => {
    const body = { model: 'gpt-4o', messages, stream: false, keep_alive: '5m', options: { num_ctx: 9, temperature: 0 } }
    const response = await world.post('/api/chat', body)
    await response.text()
    expect(response.headers.get('tollgate-dropped')).toBe('keep_alive; num_ctx')
    expect(world.simulator.requests[0]?.json).toMatchObject({ temperature: 0 })
    expect(world.simulator.requests[0]?.json).not.toHaveProperty('keep_alive')
  })

  test('a chat passes through unchanged to Ollama, and is charged by what its last line tells', async () => {
    world.simulator.next({ tokens: 4 })
    const body = '{"model":"llama3.3","messages":[{"role":"user","content":"hi"}],"keep_alive":"5m","unknown":[1]}'
    const lines = linesOf(await (await world.post('/api/chat', body)).text())
    expect(world.simulator.requests[0]).toMatchObject({ path: '/api/chat', body })
    expect(lines.at(-1)).toMatchObject({ done: true, total_duration: 14_143_917, eval_count: 4 })
    expect(await lastRow()).toMatchObject({ model_name: 'llama3.3', completion_tokens: 4 })
  })

  test('a stream that fails ends with an error as a line', async () => {
    world.simulator.next({ fault: { kind: 'error-in-200', afterFrames: 3 } })
    const text = await (await world.post('/api/chat', { model: 'claude-sonnet-4-5', messages })).text()
    expect(linesOf(text).at(-1)).toEqual({ error: expect.any(String) })
  })

  test.each([
    [{ messages }, 400],
    [{ model: 'gpt-4o', messages, format: 'xml' }, 400],
    [{ model: 'none', messages }, 404],
  ])('%j is refused with a sentence', async (body, status) => {
    const response = await world.post('/api/chat', body)
    expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }])
  })

  test('a wrong key is refused in the same form', async () => {
    const response = await world.post('/api/chat', { model: 'gpt-4o', messages }, { key: 'sk-wrong' })
    expect([response.status, await response.json()]).toEqual([401, { error: expect.any(String) }])
  })
})

describe('a prompt of an Ollama client', () => {
  test('a response stands beside the other members, also from Claude', async () => {
    world.simulator.next({ tokens: 2 })
    const body = { model: 'claude-sonnet-4-5', prompt: 'hello', system: 'Be brief', stream: false }
    const response = await world.post('/api/generate', body)
    expect(await response.json()).toMatchObject({ response: 'the quick', done: true, eval_count: 2 })
    expect(world.simulator.requests[0]?.json).toMatchObject({ system: [{ text: 'Be brief' }] })
  })

  test('a prompt passes through to Ollama, with the text behind it', async () => {
    const body = '{"model":"llama3.3","prompt":"a","suffix":"b","raw":true}'
    const lines = linesOf(await (await world.post('/api/generate', body)).text())
    expect(world.simulator.requests[0]).toMatchObject({ path: '/api/generate', body })
    expect(lines.at(-1)).toMatchObject({ response: '', done: true, eval_count: expect.any(Number) })
  })

  test('a text behind the prompt is refused where no Ollama serves the model', async () => {
    const response = await world.post('/api/generate', { model: 'gpt-4o', prompt: 'a', suffix: 'b' })
    expect([response.status, await response.json()]).toMatchObject([400, { error: expect.stringContaining('suffix') }])
  })
})

describe('a model that an Ollama client loads or unloads', () => {
  const created = { model: 'llama3.3', created_at: expect.stringMatching(/^\d{4}-.*Z$/), done: true }
  const message = { role: 'assistant', content: '' }

  test.each([
    ['/api/generate', {}, { response: '', done_reason: 'load' }],
    ['/api/generate', { prompt: '', stream: true, keep_alive: -1 }, { response: '', done_reason: 'load' }],
    ['/api/generate', { keep_alive: 0 }, { response: '', done_reason: 'unload' }],
    ['/api/chat', { messages: [] }, { message, done_reason: 'load' }],
    ['/api/chat', { messages: [], keep_alive: '0s' }, { message, done_reason: 'unload' }],
    ['/api/chat', { messages: [], keep_alive: '10m' }, { message, done_reason: 'load' }],
  ])('%s with %j answers at once and costs nothing', async (path, body, expected) => {
    const rows = (await world.logs()).length
    const response = await world.post(path, { model: 'llama3.3', ...body })
    expect([response.status, await response.json()]).toEqual([200, { ...created, ...expected }])
    expect(world.simulator.requests).toEqual([])
    expect(await world.logs()).toHaveLength(rows)
  })

  test('a model that does not exist, and none, are refused', async () => {
    const refusal = { error: expect.any(String) }
    const unknown = await world.post('/api/generate', { model: 'none' })
    expect([unknown.status, await unknown.json()]).toEqual([404, refusal])
    const nameless = await world.post('/api/chat', { messages: [] })
    expect([nameless.status, await nameless.json()]).toEqual([400, refusal])
  })
})

describe('vectors for an Ollama client', () => {
  test.each(['text-embedding-3-small', 'embeddinggemma'])('of several texts come from %s', async (model) => {
    const response = await world.post('/api/embed', { model, input: ['a', 'b'] })
    expect(await response.json()).toMatchObject({
      model,
      embeddings: [expect.any(Array), expect.any(Array)],
      prompt_eval_count: expect.any(Number),
    })
  })

  test.each(['text-embedding-3-small', 'embeddinggemma'])(
    'by the older call come one at a time from %s',
    async (model) => {
      const response = await world.post('/api/embeddings', { model, prompt: 'a' })
      expect(await response.json()).toEqual({ embedding: expect.arrayContaining([expect.any(Number)]) })
    },
  )
})

describe('an Ollama client that looks around', () => {
  const read = (path: string, key = world.key) =>
    fetch(world.url + path, { headers: { authorization: `Bearer ${key}` } })

  test('finds the models of its key', async () => {
    const key = await world.addToken(1, { model_limits_enabled: 1, model_limits: 'gpt-4o' })
    const { models } = (await (await read('/api/tags', key)).json()) as { models: unknown[] }
    expect(models).toEqual([
      expect.objectContaining({ name: 'gpt-4o', digest: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ])
  })

  test('learns what a model can do and how long its window is', async () => {
    const shown = await (await world.post('/api/show', { model: 'gpt-4o' })).json()
    expect(shown).toMatchObject({
      capabilities: ['completion', 'tools', 'vision'],
      model_info: { 'general.architecture': 'openai', 'openai.context_length': 128_000 },
    })
    expect(await (await world.post('/api/show', { name: 'text-embedding-3-small' })).json()).toMatchObject({
      capabilities: ['embedding'],
    })
    const notFound = await world.post('/api/show', { model: 'none' })
    expect([notFound.status, await notFound.json()]).toEqual([404, { error: expect.any(String) }])
  })

  test('a client learns a version, and that nothing is loaded', async () => {
    expect(await (await read('/api/version')).json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    expect(await (await read('/api/ps')).json()).toEqual({ models: [] })
  })
})

describe('the tag that Ollama’s clients add', () => {
  test.each([
    ['/api/chat', 'gpt-4o:latest', 'gpt-4o'],
    ['/v1/chat/completions', 'gpt-4o:latest', 'gpt-4o'],
    ['/api/chat', 'mine:latest', 'mine:latest'],
  ])('at %s makes %s the model %s', async (path, requestedModel, served) => {
    await (await world.post(path, { model: requestedModel, messages, stream: false })).text()
    expect(world.simulator.requests[0]?.model).toBe(served)
    expect(await lastRow()).toMatchObject({ model_name: served })
  })
})
