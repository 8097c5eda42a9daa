import { afterAll, beforeAll, beforeEach, expect, test, setDefaultTimeout } from 'bun:test'

import { logRoutes } from '@tollgate/contract'
import Anthropic from '@anthropic-ai/sdk'
import { faults } from '@tollgate/simulator'
import { CohereClient, CohereClientV2 } from 'cohere-ai'
import { Ollama } from 'ollama'
import OpenAI, { AzureOpenAI } from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'

import { anMp3, aWav } from '../gateway/test/recordings'
import { quotaByCall } from './formula'
import { until } from './ledger-view'
import { aWorld, untilAllKnow, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const hello = [{ role: 'user' as const, content: 'hello there' }]

const weather = (name: string) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
})

test('a chat completion works with the SDK', async () => {
  world.simulator.next({ tokens: 4 })
  const reply = await world.client.chat.completions.create({ model: 'gpt-4o', messages: hello })
  expect(reply.choices[0]?.message.content).toBe('the quick brown fox')
  expect(reply.usage).toEqual({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 })
})

test('an alias and its chain work with the SDKs of OpenAI and Anthropic', async () => {
  const { console, gateway, key, simulator } = world
  const targets = [{ model: 'gpt-4o', weight: 1 }]
  await console.setOptions({
    ModelAliases: JSON.stringify({ smart: [{ targets }] }),
    ModelChains: JSON.stringify({ smart: { models: ['gpt-4o-mini'] } }),
  })
  await untilAllKnow(gateway, key, ['smart'])
  const listed = await world.client.models.retrieve('smart')
  expect(listed.owned_by).toBe('site')
  const { data, response } = await world.client.chat.completions
    .create({ model: 'smart', messages: hello })
    .withResponse()
  expect([data.model, response.headers.get('tollgate-model-reason')]).toEqual(['gpt-4o', 'alias'])
  simulator.when(({ body }) => body.includes('"gpt-4o"'), faults['status-500'])
  const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 })
  const reply = await anthropic.messages.create({ model: 'smart', max_tokens: 20, messages: hello }).withResponse()
  expect([reply.data.model, reply.response.headers.get('tollgate-model')]).toEqual(['gpt-4o-mini', 'gpt-4o-mini'])
  await console.setOptions({ ModelAliases: '{}', ModelChains: '{}' })
})

test('streams from the response cache work with the SDKs of OpenAI and Anthropic', async () => {
  const { console, gateway, key, simulator } = world
  await console.setOptions({ ResponseCacheEnabled: 'true', ResponseCacheGroups: '{"default":5}' })
  const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 })
  const chat = async () => {
    const { data, response } = await world.client.chat.completions
      .create({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'cached?' }] })
      .withResponse()
    let text = ''
    for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? ''
    return { text, cache: response.headers.get('x-cache') }
  }
  const message = async () => {
    const { data, response } = await anthropic.messages
      .stream({ model: 'gpt-4o', max_tokens: 20_000, messages: [{ role: 'user', content: 'cached?' }] })
      .withResponse()
    return { text: await data.finalText(), cache: response.headers.get('x-cache') }
  }
  for (const send of [chat, message]) {
    const first = await until(send, ({ cache }) => cache !== null, 10_000)
    const calls = simulator.requests.length
    expect(await send()).toEqual({ text: first.text, cache: 'hit' })
    expect([first.text === '', simulator.requests.length]).toEqual([false, calls])
  }
  await console.setOptions({ ResponseCacheEnabled: 'false', ResponseCacheGroups: '{}' })
})

test('a streamed completion with parallel tool calls works with the SDK', async () => {
  const stream = await world.client.chat.completions.create({
    model: 'gpt-4o',
    stream: true,
    messages: hello,
    tools: [weather('forecast'), weather('history')],
  })
  const calls: { name: string; arguments: string }[] = []
  for await (const chunk of stream) {
    for (const delta of chunk.choices[0]?.delta.tool_calls ?? []) {
      const call = (calls[delta.index] ??= { name: '', arguments: '' })
      call.name += delta.function?.name ?? ''
      call.arguments += delta.function?.arguments ?? ''
    }
  }
  expect(calls.map((call) => call.name)).toEqual(['forecast', 'history'])
  expect(calls.map((call) => JSON.parse(call.arguments))).toEqual([
    { city: 'sample', days: 7 },
    { city: 'sample', days: 7 },
  ])
})

test('the stream helper assembles the response', async () => {
  world.simulator.next({ tokens: 5 })
  const runner = world.client.chat.completions.stream({
    model: 'gpt-4o',
    messages: hello,
    stream_options: { include_usage: true },
  })
  expect(await runner.finalContent()).toBe('the quick brown fox jumps')
  expect((await runner.totalUsage()).completion_tokens).toBe(5)
})

test('the stream helper assembles tool calls', async () => {
  const runner = world.client.chat.completions.stream({
    model: 'gpt-4o',
    messages: hello,
    tools: [weather('forecast')],
  })
  const call = (await runner.finalMessage()).tool_calls?.[0]
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({ city: 'sample', days: 7 })
})

test('a conversation with tool results works with the SDK', async () => {
  const reply = await world.client.chat.completions.create({
    model: 'gpt-4o',
    tools: [weather('forecast')],
    messages: [
      ...hello,
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'forecast', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    ],
  })
  expect(reply.choices[0]?.finish_reason).toBe('stop')
})

test('images reach the upstream unchanged', async () => {
  const content = [
    { type: 'text' as const, text: 'what is this?' },
    { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' as const } },
  ]
  await world.client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] })
  expect(world.simulator.requests[0]?.json).toMatchObject({ messages: [{ role: 'user', content }] })
})

test('a response is parsed by a schema', async () => {
  const City = z.object({ name: z.string(), population: z.number().int(), isCapital: z.boolean() })
  const reply = await world.client.chat.completions.parse({
    model: 'gpt-4o',
    messages: hello,
    response_format: zodResponseFormat(City, 'city'),
  })
  expect(reply.choices[0]?.message.parsed).toEqual({ name: 'sample', population: 7, isCapital: true })
})

test('embeddings arrive in base64, as the SDK requests them', async () => {
  const reply = await world.client.embeddings.create({
    model: 'text-embedding-3-small',
    input: ['one', 'two'],
    dimensions: 16,
  })
  expect(reply.data.map((one) => one.embedding.length)).toEqual([16, 16])
  expect(reply.data[0]?.embedding).not.toEqual(reply.data[1]?.embedding ?? [])
  expect(world.simulator.requests[0]?.json).toMatchObject({ encoding_format: 'base64' })
})

test('moderations work with the SDK', async () => {
  const reply = await world.client.moderations.create({ model: 'omni-moderation-latest', input: 'sheer violence' })
  expect(reply.results[0]).toMatchObject({ flagged: true, categories: { violence: true, hate: false } })
})

test('text completions work with the SDK, whole and streamed', async () => {
  const request = { model: 'gpt-3.5-turbo-instruct', prompt: 'once upon', max_tokens: 3 }
  const reply = await world.client.completions.create(request)
  expect(reply.choices[0]).toMatchObject({ text: 'the quick brown', finish_reason: 'length' })
  let text = ''
  for await (const chunk of await world.client.completions.create({ ...request, stream: true })) {
    text += chunk.choices[0]?.text ?? ''
  }
  expect(text).toBe('the quick brown')
})

test('the SDK lists the models and retrieves one', async () => {
  const listed: string[] = []
  for await (const model of world.client.models.list()) listed.push(model.id)
  expect(listed).toContain('gpt-4o')
  expect((await world.client.models.retrieve('gpt-4o')).id).toBe('gpt-4o')
})

test('a client that leaves stops the upstream before its next frame', async () => {
  world.simulator.next({ tokens: 50, gapMs: 100 })
  const stream = await world.client.chat.completions.create({ model: 'gpt-4o', stream: true, messages: hello })
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) break
  }
  stream.controller.abort()
  const request = await world.simulator.arrival(1)
  const framesThen = request.framesDelivered
  expect(await request.ended).toBe('aborted')
  // A frame may have been in flight when the client left; a second one would mean more than 100 ms.
  expect(request.framesDelivered - framesThen).toBeLessThanOrEqual(1)
})

test('a client that leaves before its stream begins also stops the upstream', async () => {
  world.simulator.next({ fault: { kind: 'stall', when: 'before-headers' } })
  const controller = new AbortController()
  const body = { model: 'gpt-4o', messages: hello, stream: true } as const
  const call = world.client.chat.completions.create(body, { signal: controller.signal })
  const request = await world.simulator.arrival(1)
  controller.abort()
  expect(await call.catch((error: unknown) => error)).toBeInstanceOf(Error)
  expect(await request.ended).toBe('aborted')
})

test('speech, transcriptions and translations work with the SDK and are charged by the published prices', async () => {
  const sound = Buffer.alloc(50_000, 7)
  const usage = { type: 'tokens', input_tokens: 30, input_token_details: { audio_tokens: 30 }, output_tokens: 4 }
  const events = [
    { type: 'transcript.text.delta', delta: 'hello' },
    { type: 'transcript.text.done', text: 'hello', usage },
  ]
  const transcripts: Readonly<Record<string, () => Response>> = {
    text: () => new Response('hello', { headers: { 'content-type': 'text/plain' } }),
    json: () => Response.json({ text: 'hello', usage: { type: 'duration', seconds: 3 } }),
    stream: () =>
      new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      }),
  }
  const upstream = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.url.endsWith('/speech')) return new Response(sound, { headers: { 'content-type': 'audio/mpeg' } })
      const form = await request.formData()
      const format = form.get('stream') === 'true' ? 'stream' : form.get('response_format')
      return (transcripts[typeof format === 'string' ? format : 'json'] ?? (() => Response.error()))()
    },
  })
  const models = ['tts-1', 'whisper-1', 'gpt-4o-transcribe']
  await world.console.addChannel({ name: 'audio', base_url: String(upstream.url), models: models.join(',') })
  await untilAllKnow(world.gateway, world.key, models)
  const { audio } = world.client
  const input = 'Hello there, 你好'
  const spoken = await audio.speech.create({ model: 'tts-1', input, voice: 'alloy' })
  expect(Buffer.from(await spoken.arrayBuffer()).equals(sound)).toBe(true)
  const file = () => new File([aWav(3)], 'a.wav', { type: 'audio/wav' })
  const model = 'whisper-1'
  expect((await audio.transcriptions.create({ model, file: file() })).text).toBe('hello')
  expect(await audio.transcriptions.create({ model, file: file(), response_format: 'text' })).toBe('hello')
  expect((await audio.translations.create({ model, file: new File([anMp3(60)], 'a.mp3') })).text).toBe('hello')
  const stream = await audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: file(), stream: true })
  const types: string[] = []
  for await (const { type } of stream) types.push(type)
  expect(types).toEqual(events.map(({ type }) => type))
  const seconds = quotaByCall(3 * 0.0001)
  const tokens = quotaByCall((30 * 2.5 + 4 * 10) / 1e6)
  const charges = await until(
    async () => (await world.console.call(logRoutes.listLogs, { query: { p: 1, page_size: 100 } })).items,
    (items) => items.filter((row) => models.includes(row.model_name)).length === 5,
  )
  const quotas = charges.filter((row) => models.includes(row.model_name)).map(({ quota }) => quota)
  const expected = [quotaByCall((input.length * 15) / 1e6), seconds, seconds, seconds, tokens]
  expect(quotas.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
  await upstream.stop(true)
})

test('the SDK for Azure calls with its own paths and header', async () => {
  const { gateway, key: apiKey } = world
  const azure = new AzureOpenAI({ endpoint: gateway.url, apiKey, apiVersion: '2024-10-21', maxRetries: 0 })
  world.simulator.next({ tokens: 4 })
  const whole = await azure.chat.completions.create({ model: 'gpt-4o', messages: hello })
  expect(whole.choices[0]?.message.content).toBe('the quick brown fox')
  world.simulator.next({ tokens: 4 })
  let text = ''
  for await (const { choices } of await azure.chat.completions.create({
    model: 'gpt-4o',
    messages: hello,
    stream: true,
  })) {
    text += choices[0]?.delta.content ?? ''
  }
  expect(text).toBe('the quick brown fox')
  const vectors = await azure.embeddings.create({ model: 'text-embedding-3-small', input: 'hello' })
  expect(vectors.data[0]?.embedding.length).toBeGreaterThan(0)
})

test.each(['', '/openai/v1', '/api/v1', '/v1beta/openai', '//v1'])(
  'the SDK with %p behind the address of the gateway calls and lists the models',
  async (base) => {
    const client = new OpenAI({ baseURL: world.gateway.url + base, apiKey: world.key, maxRetries: 0 })
    const reply = await client.chat.completions.create({ model: 'gpt-4o', messages: hello })
    expect(reply.choices[0]?.finish_reason).toBe('stop')
    expect((await client.models.list()).data.map(({ id }) => id)).toContain('gpt-4o')
  },
)

const ollamaOf = ({ gateway, key }: World) =>
  new Ollama({ host: gateway.url, headers: { authorization: `Bearer ${key}` } })

test('the library of Ollama lists and describes models, chats, streams, calls tools and asks for vectors', async () => {
  const client = ollamaOf(world)
  expect((await client.list()).models.map(({ name }) => name)).toContain('gpt-4o')
  expect((await client.show({ model: 'gpt-4o' })).capabilities).toContain('tools')
  world.simulator.next({ tokens: 4 })
  const reply = await client.chat({ model: 'gpt-4o:latest', messages: hello })
  expect(reply).toMatchObject({ message: { content: 'the quick brown fox' }, done_reason: 'stop', eval_count: 4 })
  world.simulator.next({ tokens: 4 })
  const parts = await Array.fromAsync(await client.generate({ model: 'gpt-4o', prompt: 'hello', stream: true }))
  expect(parts.map(({ response }) => response).join('')).toBe('the quick brown fox')
  expect(parts.at(-1)).toMatchObject({ done: true, eval_count: 4 })
  const tools = [weather('forecast')]
  const calling = await Array.fromAsync(await client.chat({ model: 'gpt-4o', messages: hello, tools, stream: true }))
  expect(calling.flatMap(({ message }) => message.tool_calls ?? [])).toMatchObject([
    { function: { name: 'forecast', arguments: { city: 'sample', days: 7 } } },
  ])
  const { embeddings } = await client.embed({ model: 'text-embedding-3-small', input: ['one', 'two'] })
  expect(embeddings).toHaveLength(2)
  expect(await client.chat({ model: 'none', messages: hello }).catch((error: unknown) => error)).toMatchObject({
    status_code: 404,
    error: expect.stringContaining('none'),
  })
})

test('the library of Cohere chats, streams, calls tools and asks for vectors, by both versions', async () => {
  const place = { token: world.key, environment: world.gateway.url }
  const client = new CohereClientV2(place)
  world.simulator.next({ tokens: 4 })
  const reply = await client.chat({ model: 'gpt-4o', messages: hello })
  expect(reply).toMatchObject({
    finishReason: 'COMPLETE',
    message: { content: [{ type: 'text', text: 'the quick brown fox' }] },
    usage: { billedUnits: { outputTokens: 4 } },
  })
  const tools = [weather('forecast')]
  const events = await Array.fromAsync(await client.chatStream({ model: 'gpt-4o', messages: hello, tools }))
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['message-start', 'tool-call-start', 'tool-call-delta', 'tool-call-end', 'message-end']),
  )
  const vectors = { model: 'text-embedding-3-small', texts: ['one', 'two'], inputType: 'search_query' as const }
  expect((await client.embed({ ...vectors, embeddingTypes: ['float'] })).embeddings.float).toHaveLength(2)

  const first = new CohereClient(place)
  world.simulator.next({ tokens: 4 })
  const firstReply = await first.chat({ model: 'gpt-4o', message: 'hello', preamble: 'Be brief' })
  expect(firstReply).toMatchObject({ text: 'the quick brown fox', finishReason: 'COMPLETE' })
  expect(firstReply.chatHistory?.map(({ role }) => role)).toEqual(['USER', 'CHATBOT'])
  const stream = await Array.fromAsync(await first.chatStream({ model: 'gpt-4o', message: 'hello' }))
  expect([stream[0]?.eventType, stream.at(-1)?.eventType]).toEqual(['stream-start', 'stream-end'])
  expect((await first.embed(vectors)).embeddings).toHaveLength(2)
  expect(await client.chat({ model: 'none', messages: hello }).catch((error: unknown) => error)).toMatchObject({
    statusCode: 404,
    body: { message: expect.stringContaining('none') },
  })
})
