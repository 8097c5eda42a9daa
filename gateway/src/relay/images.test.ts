import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import type { PriceEntry } from '@tollgate/contract'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { lockPrices, storePrices } from '../catalog/price-store'

const drawn = { b64_json: 'AAAA' }
const usage = {
  input_tokens: 100,
  output_tokens: 1000,
  total_tokens: 1100,
  input_tokens_details: { text_tokens: 60, image_tokens: 40 },
}
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

let answer: () => Response
let asked: { readonly path: string; readonly body: unknown } | null = null
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    asked = { path: new URL(request.url).pathname, body: await request.json() }
    return answer()
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
  asked = null
})

const draw = (body: object, key?: string) =>
  world.post('/v1/images/generations', { prompt: 'A frozen harbour', ...body }, key === undefined ? {} : { key })

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
    answer = () => new Response(text, { headers: { 'content-type': 'application/json' } })
    const response = await draw({ model: 'gpt-image-1', n: 2, size: '1024x1024', quality: 'high' })
    expect(await response.text()).toBe(text)
    expect(asked).toMatchObject({ path: '/v1/images/generations', body: { model: 'gpt-image-1', n: 2 } })
    // 5 dollars a million for text, 10 for pictures that are read, 40 for those that are drawn; half a million quota a dollar.
    const { quota, other } = await row()
    expect(quota).toBe(60 * 2.5 + 40 * 5 + 1000 * 20)
    expect(other).toMatchObject({ image_count: 1, image_size: '1024x1024', image_quality: 'high', image_output: 40 })
  })

  test('a call is held at the most expensive image, times the number requested', async () => {
    const user = await world.addUser(100_000)
    const key = await world.addToken(user)
    answer = () => Response.json({ data: [drawn], usage })
    expect((await draw({ model: 'gpt-image-1', quality: 'high' }, key)).status).toBe(403)
    expect((await draw({ model: 'gpt-image-1', n: 9, size: '1024x1024', quality: 'low' }, key)).status).toBe(200)
  })

  test('a stream is charged before its last image is sent', async () => {
    const partial = event('image_generation.partial_image', { ...drawn, partial_image_index: 0 })
    const complete = event('image_generation.completed', { ...drawn, size: '1024x1536', quality: 'low', usage })
    answer = () => new Response(partial + complete, { headers: { 'content-type': 'text/event-stream' } })
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
    answer = () => new Response(partial, { headers: { 'content-type': 'text/event-stream' } })
    expect(await (await draw({ model: 'gpt-image-1', stream: true })).text()).toContain('"error"')
    expect(await row()).toMatchObject({ quota: 0, other: { ending: 'broken' } })
  })
})

describe('pictures by number', () => {
  const dollar = 500_000

  test('images cost by their number, at the requested size and quality', async () => {
    answer = () => Response.json({ created: 1, data: [{ url: 'https://example.com/a.png' }] })
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
    answer = () => Response.json({ data: [drawn, drawn], size: '2048x2048' })
    await (await draw({ model: 'a-painter', n: 2 })).text()
    expect(await row()).toMatchObject({ quota: 0.06 * dollar, other: { price_mode: 'large', image_count: 2 } })
    await (await draw({ model: 'a-painter', n: 2, size: '1024x1024' })).text()
    expect(await row()).toMatchObject({ quota: 0.02 * dollar })
  })

  test('a call that leaves the size open is held at the most expensive one', async () => {
    const key = await world.addToken(await world.addUser(0.02 * dollar))
    answer = () => Response.json({ data: [drawn] })
    expect((await draw({ model: 'a-painter' }, key)).status).toBe(403)
    expect((await draw({ model: 'a-painter', size: '1024x1024' }, key)).status).toBe(200)
  })

  test('a response without images costs nothing', async () => {
    answer = () => Response.json({ data: [] })
    const before = await row()
    expect((await draw({ model: 'dall-e-3' })).status).toBe(502)
    expect(await row()).toEqual(before)
  })
})
