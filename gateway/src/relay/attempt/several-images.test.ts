import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { isObject, type JsonObject } from '@tollgate/dialects'
import type { PriceEntry } from '@tollgate/contract'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { lockPrices, storePrices } from '../../billing/pricing/price-store'

const dollar = 500_000

interface Received {
  readonly path: string
  readonly body: JsonObject
}

/** Responds to the calls in their order; `at` counts from 0. */
let respond: (call: Received, at: number) => Response | Promise<Response>
let received: Received[] = []
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true
    const body: unknown = isForm ? Object.fromEntries(await request.formData()) : await request.json()
    const call = { path: new URL(request.url).pathname, body: isObject(body) ? body : {} }
    received.push(call)
    return respond(call, received.length - 1)
  },
})

const gemini = 'gemini-2.5-flash-image'
const capped = 'gemini-3-pro-image'
const stopping = 'gemini-3.1-flash-image'
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = String(upstream.url).replace(/\/$/, '')
  const channel = (type: number, models: string, setting: object = {}) =>
    world.addChannel({ type, base_url, models, setting: JSON.stringify({ max_retries: 0, ...setting }) })
  await channel(24, `${gemini},imagen-4.0-generate-001`)
  await channel(24, capped, { max_concurrency: 2 })
  await channel(24, stopping, { on_disconnect: 'cancel' })
  await channel(16, 'cogview-4')
  await channel(40, 'Qwen/Qwen-Image')
  await channel(45, 'doubao-seedream-4-0-250828')
  for (const model of [
    capped,
    stopping,
    'imagen-4.0-generate-001',
    'cogview-4',
    'Qwen/Qwen-Image',
    'doubao-seedream-4-0-250828',
  ])
    await setEntry(model, { prices: { per_image: 0.02 } })
  await setEntry(gemini, { prices: { input: 0.3, output: 30 } })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})
beforeEach(() => {
  received = []
})

async function setEntry(model: string, entry: PriceEntry) {
  const { ctx } = world
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, [{ channelId: 0, model, entry }], { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
}

const draw = (body: object, options: object = {}) =>
  world.post('/v1/images/generations', { model: gemini, prompt: 'A frozen harbour', ...body }, options)

async function row() {
  const { quota, other } = (await world.logs()).at(-1) ?? {}
  return { quota, other: JSON.parse(other ?? '{}') as Record<string, unknown> }
}

const respondWithImage = (data = 'AAAA') =>
  Response.json({
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data } }] } }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 },
  })
const respondWithFailure = () => Response.json({ error: { message: 'Overloaded.' } }, { status: 503 })
const cost = (images: number) => Math.round(images * (10 * 0.15 + 1290 * 15))

/** A door that the calls of a test wait at. */
function aGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

describe('several images of a vendor that draws one in a call', () => {
  test('all images come in one response, which costs what each of the calls used', async () => {
    respond = () => respondWithImage()
    const response = await draw({ n: 3 })
    const body = await response.json()
    expect(body).toMatchObject({ data: [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }, { b64_json: 'AAAA' }] })
    expect(body).toMatchObject({ usage: { input_tokens: 30, output_tokens: 3870, total_tokens: 3900 } })
    expect(received).toHaveLength(3)
    const { quota, other } = await row()
    expect(quota).toBe(cost(3))
    expect(other).toMatchObject({ image_count: 3 })
    expect(JSON.stringify(other)).not.toContain('left_out')
  })

  test('a single image is one call', async () => {
    respond = () => respondWithImage()
    await (await draw({ n: 1 })).text()
    expect(received).toHaveLength(1)
  })

  test('a stream holds all images and is charged for each', async () => {
    respond = () => respondWithImage()
    const text = await (await draw({ n: 2, stream: true })).text()
    expect(text.match(/event: image_generation.completed/g)).toHaveLength(2)
    expect(await row()).toMatchObject({ quota: cost(2), other: { image_count: 2 } })
  })

  test('images are edited by as many calls, each with the file', async () => {
    respond = () => respondWithImage()
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: gemini, prompt: 'Ice', n: '2' })) form.append(name, value)
    form.append('image', new File(['png'], 'a.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer ${world.key}` }
    const response = await fetch(`${world.url}/v1/images/edits`, { method: 'POST', headers, body: form })
    expect(await response.json()).toMatchObject({ data: [{}, {}] })
    expect(received.map(({ body }) => JSON.stringify(body).includes(btoa('png')))).toEqual([true, true])
  })

  test('a vendor that draws a few in a call is asked for the rest in another', async () => {
    respond = ({ body }) => {
      const { sampleCount } = Object(body['parameters']) as { sampleCount: number }
      return Response.json({ predictions: Array.from({ length: sampleCount }, () => ({ bytesBase64Encoded: 'AAAA' })) })
    }
    const model = 'imagen-4.0-generate-001'
    expect(Object((await (await draw({ model, n: 6 })).json()) as object).data).toHaveLength(6)
    expect(new Set(received.map(({ body }) => Object(body['parameters']).sampleCount))).toEqual(new Set([4, 2]))
    const asGoogle = await world.post(`/v1beta/models/${model}:predict`, {
      instances: [{ prompt: 'A frozen harbour' }],
      parameters: { sampleCount: 5 },
    })
    expect(Object((await asGoogle.json()) as object).predictions).toHaveLength(5)
    expect(await row()).toMatchObject({ quota: 5 * 0.02 * dollar })
  })

  test('a vendor of OpenAI’s dialect is called without a count, whole and for a stream', async () => {
    respond = () => Response.json({ created: 1, data: [{ url: 'https://example.com/a.png' }] })
    const whole = await (await draw({ model: 'cogview-4', n: 2 })).json()
    expect(whole).toMatchObject({ data: [{ url: 'https://example.com/a.png' }, { url: 'https://example.com/a.png' }] })
    expect(received.every(({ body }) => !('n' in body))).toBe(true)
    const text = await (await draw({ model: 'cogview-4', n: 2, stream: true })).text()
    expect(text.match(/event: image_generation.completed/g)).toHaveLength(2)
  })

  test('images of Seedream are independent of each other unless a series is requested', async () => {
    const model = 'doubao-seedream-4-0-250828'
    const usage = { generated_images: 1, output_tokens: 100, total_tokens: 100 }
    respond = () =>
      Response.json({ created: 1, data: [{ url: 'https://example.com/a.png', size: '2048x2048' }], usage })
    const text = await (await draw({ model, n: 2, stream: true })).text()
    expect(text.match(/event: image_generation.completed/g)).toHaveLength(2)
    expect(received.map(({ body }) => [body['stream'], body['n']])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
    const series = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 3 } }
    await (await draw({ model, ...series })).text()
    expect(received).toHaveLength(3)
    expect(received.at(-1)?.body).toMatchObject(series)
  })

  test('each call has a seed of its own where the request names one', async () => {
    respond = () => Response.json({ images: [{ url: 'https://example.com/a.png' }] })
    await (await draw({ model: 'Qwen/Qwen-Image', n: 3, seed: 7 })).text()
    expect(new Set(received.map(({ body }) => body['seed']))).toEqual(new Set([7, 8, 9]))
  })

  test('more images than ten calls draw are refused before any call', async () => {
    const response = await draw({ n: 11 })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'n', code: 'integer_above_max_value' } })
    expect(received).toEqual([])
  })
})

describe('calls that draw together', () => {
  test.each([
    [gemini, 4],
    [capped, 2],
  ])('no more of %s are in flight than %i', async (model, maxInFlight) => {
    const gate = aGate()
    let [inFlight, highest] = [0, 0]
    respond = async () => {
      highest = Math.max(highest, ++inFlight)
      await gate.passed
      inFlight -= 1
      return respondWithImage()
    }
    const response = draw({ model, n: 9 })
    await eventually(async () => (inFlight === maxInFlight ? true : null))
    gate.open()
    expect(Object((await (await response).json()) as object).data).toHaveLength(9)
    expect(highest).toBe(maxInFlight)
  })

  test('images that arrived are delivered and charged where a call failed, and the log names the rest', async () => {
    const gate = aGate()
    respond = async (_, at) => {
      if (at === 2) gate.open()
      await gate.passed
      return at === 1 ? respondWithFailure() : respondWithImage()
    }
    const response = await draw({ n: 3 })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: [{}, {}], usage: { output_tokens: 2 * 1290 } })
    const { quota, other } = await row()
    expect(quota).toBe(cost(2))
    expect(JSON.stringify(other)).toContain('1 of 3 calls for images, which failed')
  })

  test('no call begins after one failed', async () => {
    const gate = aGate()
    respond = async ({ body }) => {
      // Made by the second of four workers, which then gives its slot back.
      if (body['seed'] === 8) return respondWithFailure()
      await gate.passed
      return Response.json({ images: [{ url: 'https://example.com/a.png' }] })
    }
    const response = draw({ model: 'Qwen/Qwen-Image', n: 9, seed: 7 })
    await eventually(async () => (received.length === 4 ? true : null))
    const inside = () =>
      [...world.ctx.health.slots.listOccupied().values()].reduce((sum, channel) => sum + channel.inside, 0)
    await eventually(async () => (inside() === 3 ? true : null))
    gate.open()
    expect(Object((await (await response).json()) as object).data).toHaveLength(3)
    expect(received).toHaveLength(4)
  })

  test('the first failure is the client’s where no call drew anything, and costs nothing', async () => {
    respond = () => respondWithFailure()
    const before = await row()
    expect((await draw({ n: 3 })).status).toBeGreaterThanOrEqual(500)
    expect(await row()).toEqual(before)
  })

  /** Leaves while the first four of nine calls are in flight. Resolves when the gateway has noticed. */
  async function leave(model: string) {
    const client = new AbortController()
    const left = draw({ model, n: 9 }, { signal: client.signal }).catch(() => null)
    await eventually(async () => (received.length === 4 ? true : null))
    client.abort()
    await left
    for (let turn = 0; turn < 3; turn += 1) await (await fetch(`${world.url}/v1/models`)).text()
  }

  test('no call begins once the client has left, and those that the vendor bills anyway are charged', async () => {
    const gate = aGate()
    respond = async () => {
      await gate.passed
      return respondWithImage()
    }
    await leave(gemini)
    gate.open()
    await eventually(async () => ((await row()).quota === cost(4) ? true : null))
    expect(received).toHaveLength(4)
  })

  test('calls of a channel that stops abandoned calls end when the client leaves', async () => {
    const gate = aGate()
    const before = await row()
    respond = async () => {
      await gate.passed
      return respondWithImage()
    }
    await leave(stopping)
    expect(await world.inFlight.whenIdle(10_000)).toBe(true)
    gate.open()
    expect(received).toHaveLength(4)
    expect(await row()).toEqual(before)
  })

  test('the hold pays for the prompt of each call', async () => {
    respond = () => respondWithImage()
    const prompt = 'ice '.repeat(20_000)
    const user = await world.addUser(20_000 * 0.15 * 3 + 7200 * 1.5 * 15 * 4)
    const key = await world.addToken(user)
    expect((await draw({ n: 4, prompt }, { key })).status).toBe(403)
    expect(received).toEqual([])
  })
})
