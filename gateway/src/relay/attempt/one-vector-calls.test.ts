import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

interface VendorRequest {
  readonly path: string
  readonly body: { readonly input: unknown }
}
let requests: VendorRequest[] = []
let refused = ''
/** By what the vendor is told, not by when. */
const vectorOf = (input: unknown): [number, number] => [JSON.stringify(input).length, 0.5]

const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as VendorRequest['body']
    requests.push({ path: new URL(request.url).pathname, body })
    if (refused !== '' && JSON.stringify(body).includes(refused))
      return Response.json({ error: { message: 'The picture is too large' } }, { status: 400 })
    const usage = { prompt_tokens: 10, total_tokens: 10, prompt_tokens_details: { text_tokens: 4, image_tokens: 6 } }
    return Response.json({
      object: 'list',
      model: 'd',
      data: { object: 'embedding', embedding: vectorOf(body.input) },
      usage,
    })
  },
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.setOptions({ ModelRatio: JSON.stringify({ 'doubao-embedding-vision-251215': 1 }) })
  const base_url = String(vendor.url).replace(/\/$/, '')
  await world.addChannel({
    base_url,
    type: 45,
    models: 'doubao-embedding-vision-251215',
    param_override: '{"sparse":true}',
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})
beforeEach(() => {
  requests = []
  refused = ''
})

const embed = (input: unknown) => world.post('/v1/embeddings', { model: 'doubao-embedding-vision-251215', input })
const imagePart = { type: 'image_url', image_url: { url: 'https://pictures.example/harbour.png' } }
const text = (words: string) => ({ type: 'text', text: words })

describe('inputs of a vendor that makes one vector in a call', () => {
  test('each becomes a call, all become one response, and the sum of their usage is charged', async () => {
    const userId = await world.addUser(1_000_000)
    const key = await world.addToken(userId)
    const body = { model: 'doubao-embedding-vision-251215', input: ['ice', { content: [text('snow'), imagePart] }] }
    const response = await world.post('/v1/embeddings', body, { key })
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: [
        { index: 0, embedding: vectorOf([text('ice')]) },
        { index: 1, embedding: vectorOf([text('snow'), imagePart]) },
      ],
      model: 'doubao-embedding-vision-251215',
      usage: { prompt_tokens: 20, total_tokens: 20 },
    })
    expect(requests.toSorted((a, b) => vectorOf(a.body.input)[0] - vectorOf(b.body.input)[0])).toEqual([
      {
        path: '/api/v3/embeddings/multimodal',
        body: expect.objectContaining({ input: [text('ice')], sparse: true }),
      },
      {
        path: '/api/v3/embeddings/multimodal',
        body: expect.objectContaining({ input: [text('snow'), imagePart], sparse: true }),
      },
    ])
    expect(await world.chargesOf(userId, 1)).toEqual([expect.objectContaining({ prompt_tokens: 20, quota: 20 })])
  })

  test('one that is refused fails the whole call with its reason', async () => {
    refused = 'harbour.png'
    const response = await embed(['ice', imagePart, 'snow'])
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('The picture is too large')])
  })
})
