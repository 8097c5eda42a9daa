import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { GoogleGenAI } from '@google/genai'

import { openBooks, type Books } from '../books'
import { call } from '../call'
import { quotaByTokens } from '../formula'
import { until } from '../ledger-view'
import { aWorld, untilAllKnow, type World } from '../world'
import { anthropicClient } from './clients/anthropic'
import { geminiClient } from './clients/gemini'
import { openAiChatClient } from './clients/openai-chat'
import { openAiResponsesClient } from './clients/openai-responses'
import { VendorTable } from './vendor-table'

setDefaultTimeout(120_000)

/** Vendors with a wire format of their own, each with what its channel needs. */
const vendors = [
  {
    name: 'Bedrock',
    type: 33,
    model: 'claude-opus-4-5-20251101',
    key: 'AKIAFAKE|not-a-real-secret|us-east-1',
    path: '',
  },
  { name: 'Cohere', type: 34, model: 'command-r', key: 'not-a-real-key', path: '/cohere' },
  { name: 'Ollama', type: 4, model: 'llama3-7b', key: 'none', path: '' },
  { name: 'Baidu', type: 15, model: 'ERNIE-4.0-8K', key: 'an-id|not-a-real-secret', path: '' },
  { name: 'Dify', type: 37, model: 'dify', key: 'app-not-a-real-key', path: '' },
  {
    name: 'iFlytek',
    type: 18,
    model: 'SparkDesk-v3.5',
    key: 'an-app|not-a-real-secret|not-a-real-key',
    path: '',
  },
  {
    name: 'Tencent',
    type: 23,
    model: 'hunyuan-turbos-latest',
    key: 'an-app|an-id|not-a-real-secret',
    path: '',
  },
  { name: 'Zhipu', type: 16, model: 'chatglm_turbo', key: 'an-id.not-a-real-secret', path: '' },
] as const

const clients = {
  'openai-chat': openAiChatClient,
  'openai-responses': openAiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
}

const embedders = [
  { name: 'Gemini', type: 24, model: 'gemini-embedding-001', key: 'a-key', path: '' },
  { name: 'Cohere', type: 34, model: 'embed-v4.0', key: 'a-key', path: '/cohere' },
  { name: 'Ollama', type: 4, model: 'bge-m3', key: 'none', path: '' },
  { name: 'Baidu', type: 15, model: 'bge-large-zh', key: 'an-id|not-a-real-secret', path: '' },
  { name: 'Tencent', type: 23, model: 'hunyuan-embedding', key: 'an-app|an-id|not-a-real-secret', path: '' },
] as const

const library = 'gpt-4-turbo'

const table = new VendorTable(Object.keys(clients))
const wayOf = (stream: boolean): string => (stream ? 's' : 'w')

const drawn = { b64_json: 'AAAA' }
const drawnUsage = {
  input_tokens: 100,
  output_tokens: 1000,
  total_tokens: 1100,
  input_tokens_details: { text_tokens: 60, image_tokens: 40 },
}
/** At 5, 10 and 40 dollars for a million tokens. */
const drawnQuota = 60 * 2.5 + 40 * 5 + 1000 * 20
const eventOf = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const streamOf = (kind: string) =>
  eventOf(`${kind}.partial_image`, { ...drawn, partial_image_index: 0 }) +
  eventOf(`${kind}.completed`, { ...drawn, usage: drawnUsage })

/** Stands in for vendors that draw. */
const painter = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith(':predict'))
      return Response.json({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] })
    if (pathname === '/v1/images/edits') {
      const form = await request.formData()
      return form.get('stream') === 'true'
        ? new Response(streamOf('image_edit'), { headers: { 'content-type': 'text/event-stream' } })
        : Response.json({ created: 1, data: form.getAll('image[]').map(() => drawn), usage: drawnUsage })
    }
    return JSON.stringify(await request.json()).includes('"stream":true')
      ? new Response(streamOf('image_generation'), { headers: { 'content-type': 'text/event-stream' } })
      : Response.json({ created: 1, data: [drawn], usage: drawnUsage })
  },
})
const painters = ['gpt-image-1', 'imagen-4.0-generate-001'] as const

let world: World
let books: Books
beforeAll(async () => {
  const models = [...vendors, ...embedders].map(({ model }) => model)
  const all = [...models, 'rerank-v3.5', 'jina-reranker-v3', library]
  const ratios = Object.fromEntries(all.map((model) => [model, 1]))
  world = await aWorld({
    models: ['gpt-4o'],
    simulator: { models: all },
    options: { ModelRatio: ratios, CompletionRatio: ratios },
  })
  const { url } = world.simulator
  for (const { name, type, model, key, path } of vendors)
    await world.console.addChannel({ name, type, key, models: model, base_url: url + path })
  for (const { name, type, model, key, path } of embedders)
    await world.console.addChannel({ name: `${name} vectors`, type, key, models: model, base_url: url + path })
  await world.console.addChannel({ name: 'ranks', type: 34, models: 'rerank-v3.5', base_url: `${url}/cohere` })
  await world.console.addChannel({ name: 'Jina', type: 38, models: 'jina-reranker-v3', base_url: url })
  await world.console.addChannel({ name: 'Library', type: 21, models: library, base_url: url, other: 'a-library' })
  const drawing = String(painter.url).replace(/\/$/, '')
  await world.console.addChannel({ name: 'OpenAI images', type: 1, models: 'gpt-image-1', base_url: drawing })
  await world.console.addChannel({ name: 'Imagen', type: 24, models: 'imagen-4.0-generate-001', base_url: drawing })
  await untilAllKnow(world.gateway, world.key, [...all, ...painters])
  books = openBooks(world.gateway.dataDir)
})
afterAll(async () => {
  await books[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await painter.stop(true)
  await table.keep()
})
beforeEach(() => world.simulator.reset())

describe.each(vendors)('$name', ({ name, model }) => {
  for (const [speaks, make] of Object.entries(clients)) {
    test.each([false, true])(`a client that speaks ${speaks} gets its response, stream %p`, async (stream) => {
      world.simulator.next({ tokens: 4 })
      const { length: before } = await chargesOf(model)
      const turns = [{ from: 'user', text: 'Hello' }] as const
      const answered = await make(world.gateway.url, world.key).ask({ model, stream, turns, maxTokens: 100 })
      expect(answered).toMatchObject({ text: 'the quick brown fox', ended: 'stop' })
      expect(answered.usage.completion).toBe(4)
      const charged = await until(
        () => chargesOf(model),
        ({ length }) => length > before,
      )
      const { prompt, completion } = answered.usage
      expect(charged.at(-1)).toMatchObject({
        prompt_tokens: prompt,
        completion_tokens: completion,
        quota: quotaByTokens({ model: 1, completion: 1 }, { prompt, completion }),
      })
      table.pass(name, speaks, wayOf(stream))
    })
  }
})

const chargesOf = async (model: string) => (await books.logs()).filter((row) => row.model_name === model)

describe('a library of AI Proxy', () => {
  const text = 'the quick brown fox\n\n1. [The manual](https://docs.example/manual)'
  for (const [speaks, make] of Object.entries(clients)) {
    test.each([false, true])(`answers a client that speaks ${speaks} with its documents, stream %p`, async (stream) => {
      world.simulator.next({ tokens: 4 })
      const turns = [{ from: 'user', text: 'Hello' }] as const
      const answered = await make(world.gateway.url, world.key).ask({ model: library, stream, turns, maxTokens: 100 })
      expect(answered).toMatchObject({ text, ended: 'stop' })
      expect(world.simulator.requests[0]?.json).toMatchObject({ query: 'Hello', libraryId: 'a-library' })
      table.pass('AI Proxy', speaks, wayOf(stream))
    })
  }
})

describe.each(embedders)('vectors of $name', ({ name, model }) => {
  test('embeddings reach the SDK of OpenAI, also in base64', async () => {
    const floats = await world.client.embeddings.create({ model, input: ['a', 'b'], encoding_format: 'float' })
    const packed = await world.client.embeddings.create({ model, input: ['a', 'b'] })
    expect(floats.data).toHaveLength(2)
    expect(floats.data[0]?.embedding.length).toBeGreaterThan(1)
    expect(floats.data[0]?.embedding).not.toEqual(floats.data[1]?.embedding)
    for (const [index, { embedding }] of packed.data.entries())
      for (const [at, value] of embedding.entries())
        expect(value).toBeCloseTo(floats.data[index]?.embedding[at] ?? 9, 5)
    table.pass(`vectors of ${name}`, 'openai-chat', 'w')
  })

  test('embeddings reach the SDK of Google', async () => {
    const google = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
    const answer = await google.models.embedContent({ model, contents: ['a', 'b'] })
    expect(answer.embeddings).toHaveLength(2)
    expect(answer.embeddings?.[0]?.values?.length).toBeGreaterThan(1)
    table.pass(`vectors of ${name}`, 'gemini', 'w')
  })
})

test.each(['rerank-v3.5', 'jina-reranker-v3'])('%s ranks documents and returns them', async (model) => {
  const documents = ['Rain in Ulm', { text: 'Sun in Oslo' }]
  const body = { model, query: 'Where does it rain?', documents, return_documents: true }
  const answer = await call(world.gateway, world.key, body, { path: '/v1/rerank' })
  expect(answer.status).toBe(200)
  const { results, usage } = JSON.parse(answer.text)
  expect(results).toHaveLength(2)
  for (const { index, document, relevance_score: score } of results) {
    expect(document.text).toBe(['Rain in Ulm', 'Sun in Oslo'][index])
    expect(score).toBeNumber()
  }
  expect(usage.total_tokens).toBeGreaterThan(0)
})

describe('images', () => {
  const model = 'gpt-image-1'
  const imagen = 'imagen-4.0-generate-001'
  /** Returns what the next call of a model costs. */
  async function chargeOf<Answer>(name: string, draw: () => Promise<Answer>) {
    const { length: before } = await chargesOf(name)
    const answer = await draw()
    const rows = await until(
      () => chargesOf(name),
      ({ length }) => length > before,
    )
    return { answer, quota: rows.at(-1)?.quota }
  }

  test('the SDK of OpenAI draws and edits, whole and as a stream, at the published price', async () => {
    const { images } = world.client
    const whole = await chargeOf(model, () => images.generate({ model, prompt: 'A harbour', n: 1, quality: 'low' }))
    expect(whole.answer.data).toEqual([drawn])
    expect(whole.quota).toBe(drawnQuota)
    table.pass('images of OpenAI', 'openai-chat', 'w')

    const streamed = await chargeOf(model, async () => {
      const types: string[] = []
      const stream = await images.generate({ model, prompt: 'A harbour', stream: true, partial_images: 1 })
      for await (const event of stream) types.push(event.type)
      return types
    })
    expect(streamed.answer).toEqual(['image_generation.partial_image', 'image_generation.completed'])
    expect(streamed.quota).toBe(drawnQuota)
    table.pass('images of OpenAI', 'openai-chat', 's')

    const files = [1, 2].map((size) => new File([new Uint8Array(size)], `${size}.png`, { type: 'image/png' }))
    const edited = await chargeOf(model, () => images.edit({ model, prompt: 'Add ice', image: files }))
    expect(edited.answer.data).toHaveLength(2)
    expect(edited.quota).toBe(drawnQuota)
    const edits = await chargeOf(model, async () => {
      const stream = await images.edit({ model, prompt: 'Add ice', image: files, stream: true })
      return (await Array.fromAsync(stream)).at(-1)?.type
    })
    expect(edits.answer).toBe('image_edit.completed')
    expect(edits.quota).toBe(drawnQuota)
    table.pass('edits of OpenAI', 'openai-chat', 'w')
    table.pass('edits of OpenAI', 'openai-chat', 's')
  })

  test('the SDK of Google draws with Imagen and with OpenAI, and that of OpenAI with Imagen', async () => {
    const { url: baseUrl } = world.gateway
    const google = new GoogleGenAI({ vertexai: true, apiKey: world.key, httpOptions: { baseUrl } })
    const generate = (name: string) => () =>
      google.models.generateImages({ model: name, prompt: 'A harbour', config: { numberOfImages: 1 } })
    for (const [vendor, name, quota] of [
      ['Imagen', imagen, 0.04 * 500_000],
      ['OpenAI', model, drawnQuota],
    ] as const) {
      const { answer, quota: charged } = await chargeOf(name, generate(name))
      expect(answer.generatedImages?.[0]?.image?.imageBytes).toBe('AAAA')
      expect(charged).toBe(quota)
      table.pass(`images of ${vendor}`, 'gemini', 'w')
    }
    const asOpenAi = await chargeOf(imagen, () => world.client.images.generate({ model: imagen, prompt: 'A harbour' }))
    expect(asOpenAi.answer.data?.[0]?.b64_json).toBe('AAAA')
    expect(asOpenAi.quota).toBe(0.04 * 500_000)
    table.pass('images of Imagen', 'openai-chat', 'w')
  })
})

test.each([
  ['/v1/chat/completions', 'messages', 'id'],
  ['/v1/messages', 'messages', 'id'],
  ['/v1/responses', 'input', 'id'],
] as const)('a conversation of Dify goes on where the response of %s says', async (path, talk, place) => {
  const question = { role: 'user', content: 'Rain?' }
  const ask = (more: object) => call(world.gateway, world.key, { model: 'dify', max_tokens: 9, ...more }, { path })
  const first = JSON.parse((await ask({ [talk]: [question] })).text)
  const more = [question, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'And snow?' }]
  const second = JSON.parse((await ask({ [talk]: more, conversation_id: first[place] })).text)
  expect(second[place]).toBe(first[place])
  expect(world.simulator.requests[1]?.json).toMatchObject({ query: 'And snow?', conversation_id: 'conversation-sim1' })
})

test('an agent of Dify thinks with its tools and says its text once', async () => {
  world.simulator.next({ tokens: 4 })
  const body = { model: 'dify', messages: [{ role: 'user', content: 'Rain?' }], inputs: { agent: true } }
  const { text } = await call(world.gateway, world.key, body)
  expect(JSON.parse(text).choices[0].message).toMatchObject({
    content: 'the quick brown fox',
    reasoning_content: 'weather({"city":"Ulm"})\nwet\n',
  })
})

describe('an upstream over a WebSocket', () => {
  const refusal = { header: { code: 10_013, message: 'Not allowed', sid: 's', status: 2 } }
  test.each([
    ['refuses in a message', { kind: 'object-in-200', object: refusal }, 400],
    ['closes before the end', { kind: 'cut', afterFrames: 2 }, 502],
    ['resets the connection', { kind: 'reset', when: { afterFrames: 1 } }, 502],
    ['sends what is not JSON', { kind: 'malformed-frame', afterFrames: 1 }, 502],
  ] as const)('an upstream that %s fails the call, which costs nothing', async (_, fault, status) => {
    world.simulator.when(() => true, { fault })
    const model = 'SparkDesk-v3.5'
    const charged = await chargesOf(model)
    const answered = await call(world.gateway, world.key, { model, messages: [{ role: 'user', content: 'Hello' }] })
    expect(answered.status).toBe(status)
    expect(await chargesOf(model)).toEqual(charged)
  })
})
