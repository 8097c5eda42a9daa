import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { PriceEntry } from '@tollgate/contract'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { startSession } from '../accounts/sessions/sessions'
import { lockPrices, storePrices } from '../billing/pricing/price-store'

const drawn = { b64_json: 'AAAA' }
const usage = {
  input_tokens: 100,
  output_tokens: 1000,
  total_tokens: 1100,
  input_tokens_details: { text_tokens: 60, image_tokens: 40 },
}
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

let respond: () => Response
let received: { readonly path: string; readonly body: unknown } | null = null
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    received = { path: new URL(request.url).pathname, body: await request.json() }
    return respond()
  },
})
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({
    base_url: String(upstream.url).replace(/\/$/, ''),
    models: 'gpt-image-1,dall-e-3,a-painter',
    setting: JSON.stringify({ max_retries: 0 }),
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})
beforeEach(() => {
  received = null
})

const draw = (body: object, key?: string) =>
  world.post('/v1/images/generations', { prompt: 'A frozen harbour', ...body }, key === undefined ? {} : { key })

test('the playground makes images for a signed-in user, in the chosen group', async () => {
  const user = await world.addUser(1e9)
  const id = await startSession(world.ctx, { userId: user, ip: '', userAgent: '' })
  const make = (cookie: string) =>
    fetch(`${world.url}/pg/images/generations`, {
      method: 'POST',
      headers: { cookie, 'tollgate-user': String(user) },
      body: JSON.stringify({ model: 'gpt-image-1', prompt: 'A frozen harbour', group: 'default' }),
    })
  respond = () => Response.json({ data: [drawn], usage })
  expect(await (await make(`session=${id}`)).json()).toMatchObject({ data: [drawn] })
  expect(received).toEqual({
    path: '/v1/images/generations',
    body: { model: 'gpt-image-1', prompt: 'A frozen harbour' },
  })
  expect((await world.logs()).at(-1)).toMatchObject({ token_id: 0, token_name: 'playground-default', user_id: user })
  expect((await make('session=x')).status).toBe(401)
})

async function row() {
  const { quota, prompt_tokens, completion_tokens, other } = (await world.logs()).at(-1) ?? {}
  return { quota, prompt_tokens, completion_tokens, other: JSON.parse(other ?? '{}') as Record<string, unknown> }
}

async function setEntry(model: string, entry: PriceEntry) {
  const { ctx } = world
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, [{ channelId: 0, model, entry }], { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
}

describe('pictures by tokens', () => {
  test('a response passes through unchanged and costs the tokens it used', async () => {
    const text = JSON.stringify({ created: 1, data: [drawn], size: '1024x1024', quality: 'high', usage })
    respond = () => new Response(text, { headers: { 'content-type': 'application/json' } })
    const response = await draw({ model: 'gpt-image-1', n: 2, size: '1024x1024', quality: 'high' })
    expect(await response.text()).toBe(text)
    expect(received).toMatchObject({ path: '/v1/images/generations', body: { model: 'gpt-image-1', n: 2 } })
    // 5 dollars a million for text, 10 for pictures that are read, 40 for those that are drawn; half a million quota a dollar.
    const { quota, other } = await row()
    expect(quota).toBe(60 * 2.5 + 40 * 5 + 1000 * 20)
    expect(other).toMatchObject({ image_count: 1, image_size: '1024x1024', image_quality: 'high', image_output: 40 })
  })

  test('a call is held at the most expensive image, times the number requested', async () => {
    const user = await world.addUser(100_000)
    const key = await world.addToken(user)
    respond = () => Response.json({ data: [drawn], usage })
    expect((await draw({ model: 'gpt-image-1', quality: 'high' }, key)).status).toBe(403)
    expect((await draw({ model: 'gpt-image-1', n: 9, size: '1024x1024', quality: 'low' }, key)).status).toBe(200)
  })

  test('a stream is charged before its last image is sent', async () => {
    const partial = event('image_generation.partial_image', { ...drawn, partial_image_index: 0 })
    const complete = event('image_generation.completed', { ...drawn, size: '1024x1536', quality: 'low', usage })
    respond = () => new Response(partial + complete, { headers: { 'content-type': 'text/event-stream' } })
    const response = await draw({ model: 'gpt-image-1', stream: true, partial_images: 1 })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(await response.text()).toBe(partial + complete)
    const { quota, other } = await row()
    expect(quota).toBe(60 * 2.5 + 40 * 5 + 1000 * 20)
    expect(other).toMatchObject({ image_count: 1, image_size: '1024x1536' })
    expect(other).not.toHaveProperty('ending')
  })

  test('a stream that breaks off before an image is complete costs nothing', async () => {
    const partial = event('image_generation.partial_image', { ...drawn, partial_image_index: 0 })
    respond = () => new Response(partial, { headers: { 'content-type': 'text/event-stream' } })
    expect(await (await draw({ model: 'gpt-image-1', stream: true })).text()).toContain('"error"')
    expect(await row()).toMatchObject({ quota: 0, other: { ending: 'broken' } })
  })
})

const dollar = 500_000

describe('pictures by number', () => {
  test('images cost by their number, at the requested size and quality', async () => {
    respond = () => Response.json({ created: 1, data: [{ url: 'https://example.com/a.png' }] })
    const cost = async (body: object) => {
      await (await draw({ model: 'dall-e-3', ...body })).text()
      return (await row()).quota
    }
    expect(await cost({})).toBe(0.04 * dollar)
    expect(await cost({ n: 4 })).toBe(0.04 * dollar)
    expect(await cost({ size: '1792x1024' })).toBe(0.08 * dollar)
    expect(await cost({ quality: 'hd' })).toBe(0.08 * dollar)
    expect(await cost({ size: '1024x1792', quality: 'hd' })).toBe(0.12 * dollar)
  })

  test('a size that the request leaves open is charged as reported, and never more than was requested', async () => {
    await setEntry('a-painter', {
      prices: { per_image: 0.01 },
      modes: [{ name: 'large', match: { size: '2048x2048' }, prices: { per_image: 0.03 } }],
    })
    respond = () => Response.json({ data: [drawn, drawn], size: '2048x2048' })
    await (await draw({ model: 'a-painter', n: 2 })).text()
    expect(await row()).toMatchObject({ quota: 0.06 * dollar, other: { price_mode: 'large', image_count: 2 } })
    await (await draw({ model: 'a-painter', n: 2, size: '1024x1024' })).text()
    expect(await row()).toMatchObject({ quota: 0.02 * dollar })
  })

  test('a call that leaves the size open is held at the most expensive one', async () => {
    const key = await world.addToken(await world.addUser(0.02 * dollar))
    respond = () => Response.json({ data: [drawn] })
    expect((await draw({ model: 'a-painter' }, key)).status).toBe(403)
    expect((await draw({ model: 'a-painter', size: '1024x1024' }, key)).status).toBe(200)
  })

  test('a response without images costs nothing', async () => {
    respond = () => Response.json({ data: [] })
    const before = await row()
    expect((await draw({ model: 'dall-e-3' })).status).toBe(502)
    expect(await row()).toEqual(before)
  })
})

describe('images of vendors with another dialect', () => {
  const gemini = { mimeType: 'image/png', data: 'AAAA' }
  const tokens = { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 }
  beforeAll(async () => {
    const base_url = String(upstream.url).replace(/\/$/, '')
    const setting = JSON.stringify({ max_retries: 0 })
    await world.addChannel({ type: 24, base_url, models: 'gemini-2.5-flash-image,imagen-4.0-generate-001', setting })
    await world.addChannel({ type: 40, base_url, models: 'Kwai-Kolors/Kolors', setting })
    await setEntry('gemini-2.5-flash-image', { prices: { input: 0.3, output: 2.5, image_out: 30 } })
    await setEntry('Kwai-Kolors/Kolors', { prices: { per_image: 0.02 } })
  })

  test('a whole response has OpenAI’s form and costs its tokens', async () => {
    respond = () =>
      Response.json({ candidates: [{ content: { parts: [{ inlineData: gemini }] } }], usageMetadata: tokens })
    const response = await draw({ model: 'gemini-2.5-flash-image', size: '1536x1024' })
    expect(await response.json()).toMatchObject({
      data: [{ b64_json: 'AAAA' }],
      usage: { input_tokens: 10, output_tokens: 1290 },
    })
    expect(received?.path).toBe('/v1beta/models/gemini-2.5-flash-image:generateContent')
    expect(await row()).toMatchObject({ quota: Math.round(10 * 0.15 + 1290 * 15), other: { image_count: 1 } })
  })

  test('a client that streams gets the completed images when the call is charged', async () => {
    respond = () => Response.json({ predictions: [{ bytesBase64Encoded: 'AAAA' }, { bytesBase64Encoded: 'BBBB' }] })
    const response = await draw({ model: 'imagen-4.0-generate-001', n: 4, stream: true })
    const text = await response.text()
    expect(text.match(/event: image_generation.completed/g)).toHaveLength(2)
    expect(text).toContain('"b64_json":"BBBB"')
    expect(received).toMatchObject({
      path: '/v1beta/models/imagen-4.0-generate-001:predict',
      body: { parameters: { sampleCount: 4 } },
    })
    expect(await row()).toMatchObject({ quota: 0.08 * dollar, other: { image_count: 2 } })
  })

  test('a stream is made of the response of a vendor that does not stream', async () => {
    respond = () => Response.json({ images: [{ url: 'https://example.com/a.png' }] })
    const text = await (await draw({ model: 'Kwai-Kolors/Kolors', stream: true })).text()
    expect(text).toContain('"url":"https://example.com/a.png"')
    expect(received?.body).not.toHaveProperty('stream')
    expect(await row()).toMatchObject({ quota: 0.02 * dollar, other: { image_count: 1 } })
    const whole = await draw({ model: 'Kwai-Kolors/Kolors' })
    expect(await whole.json()).toMatchObject({ data: [{ url: 'https://example.com/a.png' }] })
  })

  test('images that the vendor withholds are refused without a retry and cost nothing', async () => {
    const before = await row()
    respond = () => Response.json({ predictions: [{ raiFilteredReason: 'Blocked.' }] })
    const response = await draw({ model: 'imagen-4.0-generate-001' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('content_filter')
    expect(await row()).toEqual(before)
  })

  test('a client of Google draws with any vendor', async () => {
    const predict = (model: string) =>
      world.post(`/v1beta/models/${model}:predict`, {
        instances: [{ prompt: 'A frozen harbour' }],
        parameters: { sampleCount: 1 },
      })
    respond = () => Response.json({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] })
    const own = await predict('imagen-4.0-generate-001')
    expect(await own.json()).toEqual({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }] })
    respond = () => Response.json({ data: [drawn], usage })
    const other = await predict('gpt-image-1')
    expect(await other.json()).toMatchObject({ predictions: [{ bytesBase64Encoded: 'AAAA' }] })
    expect(received).toMatchObject({ path: '/v1/images/generations', body: { model: 'gpt-image-1', n: 1 } })
  })
})
