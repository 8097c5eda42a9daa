import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { tokenRoutes, windowRoutes } from '@tollgate/contract'
import OpenAI from 'openai'

import type { World } from '../world'
import { aMatrixWorld, upstreams } from './matrix-world'

/** Helpers of the SDKs beyond plain calls, with every upstream. */

setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await aMatrixWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const messages = [{ role: 'user' as const, content: 'Hello' }]

test.each(upstreams)(
  'batches of Messages, their events and their token counts work with $dialect',
  async ({ model }) => {
    world.simulator.next({ tokens: 5 })
    const client = new Anthropic({ baseURL: world.gateway.url, apiKey: world.key, maxRetries: 0 })
    const stream = client.beta.messages.stream({
      model,
      max_tokens: 50,
      messages,
      betas: ['interleaved-thinking-2025-05-14'],
    })
    const kinds: string[] = []
    stream.on('streamEvent', ({ type }) => kinds.push(type))
    const message = await stream.finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: 'the quick brown fox jumps' }])
    expect(message.usage.output_tokens).toBe(5)
    expect(kinds.filter((kind) => kind !== 'content_block_delta' && kind !== 'ping')).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const counted = await client.messages.countTokens({ model, messages })
    expect(counted.input_tokens).toBeGreaterThan(0)
    expect((await client.models.list()).data.map(({ id }) => id)).toContain(model)
  },
)

test.each(upstreams)('a chat of Google’s SDK keeps its history with $dialect', async ({ model }) => {
  world.simulator.when(() => true, { tokens: 3 })
  const google = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
  const chat = google.chats.create({ model })
  const first = await chat.sendMessage({ message: 'One' })
  expect(first.text).toBe('the quick brown')
  let second = ''
  for await (const piece of await chat.sendMessageStream({ message: 'Two' })) second += piece.text ?? ''
  expect(second).toBe('the quick brown')
  const received = world.simulator.requests.at(-1)?.body ?? ''
  for (const text of ['One', 'the quick brown', 'Two']) expect(received).toContain(text)
  expect((await google.models.countTokens({ model, contents: 'One' })).totalTokens).toBeGreaterThan(0)
})

test.each(upstreams)('an upstream failure mid-stream is an exception in every SDK: $dialect', async ({ model }) => {
  world.simulator.when(() => true, { tokens: 40, gapMs: 5, fault: { kind: 'cut', afterFrames: 8 } })
  const client = new Anthropic({ baseURL: world.gateway.url, apiKey: world.key, maxRetries: 0 })
  const google = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.gateway.url } })
  const calls = [
    () => world.client.chat.completions.stream({ model, messages }).finalMessage(),
    () => world.client.responses.stream({ model, input: 'Hello' }).finalResponse(),
    () => client.messages.stream({ model, max_tokens: 50, messages }).finalMessage(),
    async () => {
      for await (const _ of await google.models.generateContentStream({ model, contents: 'Hello' }));
    },
  ]
  for (const call of calls) {
    const failure = await call().then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(Error)
  }
})

/** Resolves with a key that a window limits to one call. */
async function limitedKey(length: Partial<windowRoutes.WindowSettings>): Promise<string> {
  const { id, key } = await world.console.call(tokenRoutes.createToken, {
    body: { name: 'limited', unlimited_quota: true, expired_time: -1 },
  })
  const window = windowRoutes.WindowSettings.parse({ name: 'One call', measure: 'requests', limit: 1, ...length })
  await world.console.call(windowRoutes.setKeyWindows, { body: { token_id: id, windows: [window] } })
  return `sk-${key}`
}

test('a limit that is used up is a rate limit to every SDK', async () => {
  const [model = ''] = upstreams.map((upstream) => upstream.model)
  const apiKey = await limitedKey({ span: 'day' })
  const baseURL = world.gateway.url
  const openAi = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey, maxRetries: 0 })
  const anthropic = new Anthropic({ baseURL, apiKey, maxRetries: 0 })
  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL } })
  await openAi.chat.completions.create({ model, messages })
  const refusalOf = (call: Promise<unknown>) => call.catch((error: unknown) => error)
  expect(await refusalOf(openAi.chat.completions.create({ model, messages }))).toBeInstanceOf(OpenAI.RateLimitError)
  expect(await refusalOf(anthropic.messages.create({ model, max_tokens: 20, messages }))).toBeInstanceOf(
    Anthropic.RateLimitError,
  )
  expect(await refusalOf(google.models.generateContent({ model, contents: 'Hello' }))).toMatchObject({ status: 429 })
})

test('SDKs that retry wait for as long as a limit says, and are served then', async () => {
  const [model = ''] = upstreams.map((upstream) => upstream.model)
  const soonOver = () => {
    const now = Math.floor(Date.now() / 1000)
    return { span: 'range', starts_at: now, ends_at: now + 3 } as const
  }
  const openAi = new OpenAI({ baseURL: `${world.gateway.url}/v1`, apiKey: await limitedKey(soonOver()), maxRetries: 5 })
  const anthropic = new Anthropic({ baseURL: world.gateway.url, apiKey: await limitedKey(soonOver()), maxRetries: 5 })
  const chat = () => openAi.chat.completions.create({ model, messages })
  const message = () => anthropic.messages.create({ model, max_tokens: 20, messages })
  expect(await Promise.all([chat(), chat(), message(), message()])).toHaveLength(4)
})
