import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/models'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { lockPrices, storePrices } from '../billing/pricing/price-store'

/** What a picture of 700 KB is in text. */
const imageUrl = `data:image/png;base64,${'iVBOR/+0'.repeat(87_500)}`
const words = 'just words, no picture'

/** What the vendor says, and the usage that it reports; null: none. */
let vendorContent: JsonObject = {}
let usage: JsonObject | null = null

const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { stream } = (await request.json()) as JsonObject
    const path = new URL(request.url).pathname
    if (path.includes('GenerateContent') || path.includes('generateContent'))
      return respondAsGemini(path.includes('stream'))
    if (path.endsWith('/responses')) return respondAsResponses(stream === true)
    const whole = {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: vendorContent, finish_reason: 'stop' }],
    }
    if (stream !== true) return Response.json({ ...whole, ...(usage && { usage }) })
    const { content, ...rest } = vendorContent
    const chunk = (delta: JsonObject, end: JsonObject = {}) => ({ id: 'c', choices: [{ index: 0, delta, ...end }] })
    const pieces = (typeof content === 'string' ? content : '').match(/[^]{1,100000}/g) ?? []
    return streamOf([
      ...pieces.map((piece) => chunk({ content: piece })),
      chunk(rest),
      { ...chunk({}, { finish_reason: 'stop' }), ...(usage && { usage }) },
    ])
  },
})

const streamOf = (events: readonly JsonObject[], end = 'data: [DONE]\n\n') =>
  new Response(
    events
      .map(
        (event) =>
          `${event['type'] ? `event: ${JSON.stringify(event['type']).slice(1, -1)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
      )
      .join('') + end,
    {
      headers: { 'content-type': 'text/event-stream' },
    },
  )

function respondAsGemini(isStream: boolean): Response {
  const response = {
    candidates: [{ content: { role: 'model', parts: vendorContent['parts'] }, finishReason: 'STOP' }],
    ...(usage && { usageMetadata: usage }),
  }
  return isStream ? streamOf([response], '') : Response.json(response)
}

function respondAsResponses(isStream: boolean): Response {
  const response = {
    id: 'r',
    object: 'response',
    status: 'completed',
    output: vendorContent['output'],
    usage,
    ...vendorContent,
  }
  if (!isStream) return Response.json(response)
  const items = vendorContent['output'] as JsonObject[]
  return streamOf(
    [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        ...(item['type'] === 'image_generation_call'
          ? [{ type: 'response.image_generation_call.completed', output_index }]
          : []),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response },
    ],
    '',
  )
}

let world: RelayWorld
/** Dollars a million tokens, and for a picture. */
const prices: Readonly<Record<string, PriceEntry>> = {
  tokens: { prices: { input: 0.3, output: 2.5, image_out: 30 } },
  pieces: { prices: { input: 0.4, output: 1.6, per_image: 0.17 } },
  only: { prices: { per_image: 0.17 } },
}
const models = Object.keys(prices)
beforeAll(async () => {
  world = await createRelayWorld()
  const { ctx } = world
  const base_url = String(upstream.url).replace(/\/$/, '')
  await world.addChannel({ base_url, models: models.join(',') })
  await world.addChannel({ base_url, models: 'gpt-4o,gpt-4.1-mini', priority: 9 })
  await world.addChannel({ base_url, models: models.map((model) => `google-${model}`).join(','), type: 24 })
  const writes = Object.entries(prices).flatMap(([model, entry]) =>
    [model, `google-${model}`].map((name) => ({ channelId: 0, model: name, entry })),
  )
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, writes, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

type Dialect = 'chat' | 'responses' | 'gemini'

function requestImage(dialect: Dialect, model: string, stream: boolean): Promise<Response> {
  if (dialect === 'responses') return world.post('/v1/responses', { model, input: 'draw', stream })
  if (dialect === 'chat') return world.chat({ model, stream, max_tokens: 4000 })
  const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return world.post(`/v1beta/models/google-${model}:${action}`, { contents: [{ parts: [{ text: 'draw' }] }] })
}

async function quotaOf(dialect: Dialect, model: string, stream: boolean): Promise<number> {
  const response = await requestImage(dialect, model, stream)
  expect(response.status).toBe(200)
  await response.text()
  return (await world.logs()).at(-1)?.quota ?? NaN
}

const message = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const drawing = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBOR' }
const openAiUsage = { prompt_tokens: 100, completion_tokens: 1000, total_tokens: 1100 }
const responsesUsage = { input_tokens: 100, output_tokens: 1000, total_tokens: 1100 }
const geminiUsage = { promptTokenCount: 100, candidatesTokenCount: 1000, totalTokenCount: 1100 }
const inline = { inlineData: { mimeType: 'image/png', data: 'iVBOR' } }
const separateImage = { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } }] }

/** What 100 tokens of prompt and 1000 of answer cost as words, and what they cost as a picture. */
const asWords = { tokens: 1265, pieces: 820, only: 0 }
const asImage = { tokens: 15_015, pieces: 85_820, only: 85_000 }
const asTwo = { tokens: 15_015, pieces: 170_820, only: 170_000 }

/** A picture of the tool counts as 15 of the lowest quality, at 10.88 dollars a thousand. */
const ofTool = 15 * 5440
const asDrawing = { ...asImage, tokens: 1265 + ofTool }
const asDrawings = { ...asTwo, tokens: 1265 + 2 * ofTool }

const pricedContents: readonly (readonly [
  what: string,
  dialect: Dialect,
  said: JsonObject,
  usage: JsonObject,
  cost: typeof asWords,
])[] = [
  ['words', 'chat', { role: 'assistant', content: words }, openAiUsage, asWords],
  ['words', 'responses', { output: [message(words)] }, responsesUsage, asWords],
  ['words', 'gemini', { parts: [{ text: words }] }, geminiUsage, asWords],
  ['a picture beside the text', 'chat', { role: 'assistant', content: '', ...separateImage }, openAiUsage, asImage],
  ['a picture in the text', 'chat', { role: 'assistant', content: `![p](${imageUrl})` }, openAiUsage, asImage],
  [
    'two pictures in the text',
    'chat',
    { role: 'assistant', content: `![p](${imageUrl}) or ![q](${imageUrl})` },
    openAiUsage,
    asTwo,
  ],
  [
    'the address of a picture',
    'chat',
    { role: 'assistant', content: '![p](https://cdn.example/1.png)' },
    openAiUsage,
    asImage,
  ],
  ['a picture', 'gemini', { parts: [{ text: 'here' }, inline] }, geminiUsage, asImage],
  ['a picture of a tool', 'responses', { output: [drawing, message('here')] }, responsesUsage, asDrawing],
  ['two pictures of a tool', 'responses', { output: [drawing, drawing] }, responsesUsage, asDrawings],
]

describe.each([false, true])('an answer whose price depends on its pictures (stream: %p)', (stream) => {
  test.each(pricedContents)('%s in %s costs what it is', async (_what, dialect, content, reported, cost) => {
    ;[vendorContent, usage] = [content, reported]
    expect(await quotaOf(dialect, 'tokens', stream)).toBe(cost.tokens)
    expect(await quotaOf(dialect, 'pieces', stream)).toBe(cost.pieces)
    expect(await quotaOf(dialect, 'only', stream)).toBe(cost.only)
  })

  test('a picture in a text without a usage is not charged as text', async () => {
    ;[vendorContent, usage] = [{ role: 'assistant', content: `![p](${imageUrl})` }, null]
    // 1290 tokens of a picture, at 30 dollars a million.
    expect(await quotaOf('chat', 'tokens', stream)).toBeWithin(1290 * 15, 1290 * 15 + 500)
    expect(await quotaOf('chat', 'pieces', stream)).toBeWithin(85_000, 85_100)
    expect(await quotaOf('chat', 'only', stream)).toBe(85_000)
    expect(await quotaOf('chat', 'gpt-4o', stream)).toBeLessThan(500)
  })

  test('a picture in a text does not end the stream of a balance that pays for it', async () => {
    ;[vendorContent, usage] = [{ role: 'assistant', content: `![p](${imageUrl})` }, null]
    const { key, userId } = await world.addPayer(100_000)
    const response = await world.chat({ model: 'gpt-4o', stream }, { key })
    expect((await response.text()).length).toBeGreaterThan(imageUrl.length)
    expect(await world.balanceOf(userId)).toBeGreaterThan(99_000)
  })

  test.each<[string, JsonObject, JsonObject, number]>([
    ['as high, where nothing says more', {}, {}, 15],
    ['by what the picture says', {}, { output: [{ ...drawing, quality: 'low', size: '1024x1024' }] }, 1],
    ['by what the request asks for', { quality: 'medium', size: '1536x1024' }, { output: [drawing] }, 6],
    ['by the usage of the tool', {}, { tool_usage: { image_gen: { input_tokens: 50, output_tokens: 1056 } } }, 4],
    ['each', { quality: 'medium' }, { output: [drawing, { ...drawing, quality: 'low', size: '1024x1024' }] }, 5],
    ['not, where it failed', {}, { output: [{ ...drawing, status: 'failed', result: null }, message('no')] }, 0],
  ])('a picture of the image tool is charged %s', async (_what, toolOptions, content, units) => {
    const tools = [{ type: 'image_generation', ...toolOptions }]
    ;[vendorContent, usage] = [{ output: [drawing, message('here')], tools, ...content }, responsesUsage]
    const response = await world.post('/v1/responses', { model: 'gpt-4.1-mini', input: 'draw', tools, stream })
    expect(response.status).toBe(200)
    await response.text()
    const row = (await world.logs()).at(-1)
    expect(row?.quota).toBe(Math.round(asWords.pieces + units * 10.88 * 500))
    const details = JSON.parse(row?.other ?? '{}') as JsonObject
    expect(details['image_generation_call_count'] ?? 0).toBe(units)
  })

  test('a picture that nothing asked for is not charged', async () => {
    ;[vendorContent, usage] = [{ output: [drawing, message('here')] }, responsesUsage]
    const response = await world.post('/v1/responses', { model: 'gpt-4.1-mini', input: 'draw', stream })
    await response.text()
    expect((await world.logs()).at(-1)?.quota).toBe(asWords.pieces)
  })

  test('a call that offers the image tool holds a picture', async () => {
    ;[vendorContent, usage] = [{ output: [drawing] }, responsesUsage]
    const { key } = await world.addPayer(50_000)
    const requestWithTool = (tool: JsonObject) => {
      const body = {
        model: 'gpt-4.1-mini',
        input: 'draw',
        max_output_tokens: 16,
        tools: [{ type: 'image_generation', ...tool }],
        stream,
      }
      return world.post('/v1/responses', body, { key })
    }
    expect((await requestWithTool({ quality: 'high' })).status).toBe(403)
    const response = await requestWithTool({ quality: 'low' })
    expect(response.status).toBe(200)
    await response.text()
  })
})
