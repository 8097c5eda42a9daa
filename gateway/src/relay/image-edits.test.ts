import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

const usage = {
  input_tokens: 300,
  output_tokens: 100,
  total_tokens: 400,
  input_tokens_details: { text_tokens: 10, image_tokens: 290 },
}
const png = (size: number) => {
  const bytes = Uint8Array.from({ length: size }, (_, at) => at * 31 + (at >> 8))
  bytes.set([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 4, 0, 0, 0, 4, 0,
  ])
  return new File([bytes], 'a.png', { type: 'image/png' })
}

interface Received {
  readonly path: string
  readonly form: FormData | null
  readonly json: unknown
}

let respond: () => Response
let received: Received | null = null
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  maxRequestBodySize: 64 * 1024 * 1024,
  async fetch(request) {
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true
    const path = new URL(request.url).pathname
    received = { path, form: isForm ? await request.formData() : null, json: isForm ? null : await request.json() }
    return respond()
  },
})
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = String(upstream.url).replace(/\/$/, '')
  const setting = JSON.stringify({ max_retries: 0 })
  await world.addChannel({ base_url, models: 'gpt-image-1,dall-e-2', setting, model_mapping: '{"dall-e-2":"mapped"}' })
  await world.addChannel({ type: 24, base_url, models: 'gemini-2.5-flash-image', setting })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

const send = (path: string, fields: readonly (readonly [string, string | File])[]) => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return fetch(world.url + path, { method: 'POST', headers: { authorization: `Bearer ${world.key}` }, body: form })
}

async function row() {
  const { quota, other } = (await world.logs()).at(-1) ?? {}
  return { quota, other: JSON.parse(other ?? '{}') as Record<string, unknown> }
}

test('a form with several images and a mask reaches the vendor under the names of its fields', async () => {
  respond = () => Response.json({ data: [{ b64_json: 'AAAA' }], usage })
  const response = await send('/v1/images/edits', [
    ['model', 'gpt-image-1'],
    ['prompt', 'Add ice'],
    ['image[]', png(3000)],
    ['image[]', png(2_000_000)],
    ['mask', png(100)],
    ['n', '1'],
    ['quality', 'low'],
  ])
  expect(await response.json()).toMatchObject({ data: [{ b64_json: 'AAAA' }] })
  const { path, form } = received ?? {}
  expect(path).toBe('/v1/images/edits')
  expect(form?.getAll('image[]').map((file) => (file instanceof File ? file.size : 0))).toEqual([3000, 2_000_000])
  const large = form?.getAll('image[]')[1]
  if (!(large instanceof File)) throw new Error('The image is missing')
  expect(await large.bytes()).toEqual(await png(2_000_000).bytes())
  expect([form?.get('prompt'), form?.get('n'), form?.get('model')]).toEqual(['Add ice', '1', 'gpt-image-1'])
  expect(form?.get('mask')).toBeInstanceOf(File)
  expect(await row()).toMatchObject({
    quota: 10 * 2.5 + 290 * 5 + 100 * 20,
    other: { image_count: 1, endpoint: '/v1/images/edits' },
  })
})

test('a variation has no prompt and costs by the image', async () => {
  respond = () => Response.json({ data: [{ url: 'https://example.com/a.png' }, { url: 'https://example.com/b.png' }] })
  const fields = [
    ['model', 'dall-e-2'],
    ['image', png(3000)],
    ['n', '2'],
    ['size', '256x256'],
  ] as const
  expect((await send('/v1/images/variations', fields)).status).toBe(200)
  expect(received?.path).toBe('/v1/images/variations')
  expect(received?.form?.get('model')).toBe('mapped')
  expect((await row()).quota).toBe(2 * 0.016 * 500_000)
})

test('edits as JSON pass through as JSON', async () => {
  respond = () => Response.json({ data: [{ b64_json: 'AAAA' }], usage })
  const body = { model: 'gpt-image-1', prompt: 'Add ice', images: [{ image_url: 'https://example.com/a.png' }] }
  expect((await world.post('/v1/images/edits', body)).status).toBe(200)
  expect(received?.json).toEqual(body)
})

test('a form is translated for a vendor with another dialect, also when its response is streamed', async () => {
  respond = () =>
    Response.json({
      candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'BBBB' } }] } }],
      usageMetadata: { promptTokenCount: 270, candidatesTokenCount: 1290, totalTokenCount: 1560 },
    })
  const fields = [
    ['model', 'gemini-2.5-flash-image'],
    ['prompt', 'Add ice'],
    ['image', png(3000)],
    ['stream', 'true'],
  ] as const
  const text = await (await send('/v1/images/edits', fields)).text()
  expect(text).toContain('event: image_edit.completed')
  expect(text).toContain('"b64_json":"BBBB"')
  expect(received?.json).toMatchObject({
    contents: [{ parts: [{ text: 'Add ice' }, { inlineData: { mimeType: 'image/png' } }] }],
  })
})

test.each([
  [
    [
      ['model', 'gpt-image-1'],
      ['prompt', 'Add ice'],
    ],
    'image',
  ],
  [
    [
      ['model', 'gpt-image-1'],
      ['prompt', 'Add ice'],
      ['image', new File([], 'a.png')],
    ],
    'image',
  ],
  [
    [
      ['model', 'gpt-image-1'],
      ['prompt', 'Add ice'],
      ['image', png(100)],
      ['n', 'many'],
    ],
    'n',
  ],
  [
    [
      ['model', 'gpt-image-1'],
      ['prompt', 'Add\u0001ice'],
      ['image', png(100)],
    ],
    null,
  ],
] as [[string, string | File][], string | null][])('a form is refused for its field: %#', async (fields, param) => {
  const response = await send('/v1/images/edits', fields)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param } })
})
