import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { readLogDetails } from '@tollgate/contract'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

const usage = { prompt_tokens: 80, completion_tokens: 40, total_tokens: 120 }
const choice = { index: 0, message: { role: 'assistant', content: 'total = a + b' }, finish_reason: 'stop' }
const filled = { id: 'fim-1', object: 'chat.completion', created: 1, model: 'codestral', choices: [choice], usage }
const events = [
  { ...filled, choices: [{ index: 0, delta: { content: 'total = a + b' }, finish_reason: null }], usage: undefined },
  { ...filled, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
const streamed = `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`

let pages = 1
let seen: { path: string; body: unknown }[] = []
/** Called while the vendor reads a document. */
let meanwhile: (() => Promise<void>) | null = null
const vendor = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as { stream?: boolean }
    const { pathname: path } = new URL(request.url)
    seen.push({ path, body })
    if (path.endsWith('/ocr')) {
      await meanwhile?.()
      const read = Array.from({ length: pages }, (_, index) => ({ index, markdown: `Page ${index}`, images: [] }))
      return Response.json({ pages: read, model: 'mistral-ocr-2512', usage_info: { pages_processed: pages } })
    }
    return body.stream
      ? new Response(streamed, { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(filled)
  },
})

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  const base_url = String(vendor.url).replace(/\/$/, '')
  await world.addChannel({ type: 42, models: 'codestral-latest,mistral-ocr-latest', base_url })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await vendor.stop(true)
})
beforeEach(() => {
  seen = []
  meanwhile = null
})

const lastRow = async () => (await world.logs()).at(-1)
/** Quota of one US dollar. */
const dollar = 500_000

describe('fill in the middle', () => {
  const body = { model: 'codestral-latest', prompt: 'def add(a, b):', suffix: 'return total' }

  test.each([{}, { stream: true }])(
    'reaches the vendor as it is and is charged by its tokens with %j',
    async (form) => {
      const response = await world.post('/v1/fim/completions', { ...body, ...form })
      const text = await response.text()
      expect([response.status, text]).toEqual([200, 'stream' in form ? streamed : JSON.stringify(filled)])
      expect(seen).toEqual([{ path: '/v1/fim/completions', body: { ...body, ...form } }])
      const row = await lastRow()
      expect(row).toMatchObject({ model_name: 'codestral-latest', prompt_tokens: 80, completion_tokens: 40 })
      expect(row?.quota).toBe(Math.round(((80 * 0.3 + 40 * 0.9) / 1_000_000) * dollar))
      expect(readLogDetails(row?.other ?? '')).toMatchObject({
        dialect: 'mistral-fim',
        endpoint: '/v1/fim/completions',
      })
    },
  )
})

describe('reading a document', () => {
  const body = {
    model: 'mistral-ocr-latest',
    document: { type: 'document_url', document_url: 'https://docs.example/a.pdf' },
  }

  test.each([
    ['by its pages', 7, {}, 7 * 0.004],
    ['by no more pages than were asked for', 7, { pages: '0-1' }, 2 * 0.004],
    ['with annotations at their price', 2, { document_annotation_format: { type: 'json_schema' } }, 2 * 0.005],
  ])('a document is charged %s', async (_how, read, members, dollars) => {
    pages = read
    const response = await world.post('/v1/ocr', { ...body, ...members })
    expect(await response.json()).toMatchObject({ usage_info: { pages_processed: read } })
    expect(seen).toEqual([{ path: '/v1/ocr', body: { ...body, ...members } }])
    const row = await lastRow()
    expect(row?.quota).toBe(dollars * dollar)
    expect(readLogDetails(row?.other ?? '')).toMatchObject({ image_count: dollars === 2 * 0.004 ? 2 : read })
  })

  test('holds what the longest document costs, or all of a balance that is smaller', async () => {
    pages = 3
    const { userId, key } = await world.addPayer(0.02 * dollar)
    const others: number[] = []
    meanwhile = async () => {
      meanwhile = null
      others.push((await world.post('/v1/ocr', { ...body, pages: [0] }, { key })).status)
    }
    expect((await world.post('/v1/ocr', body, { key })).status).toBe(200)
    expect(others).toEqual([403])
    expect(await world.balanceOf(userId)).toBe(0.02 * dollar - 3 * 0.004 * dollar)
    const tooMany = await world.post('/v1/ocr', { ...body, pages: '0-99' }, { key })
    expect([tooMany.status, await tooMany.json()]).toMatchObject([403, { error: { code: 'insufficient_quota' } }])
  })

  test('a file of another account is not read', async () => {
    const response = await world.post('/v1/ocr', { ...body, document: { type: 'file', file_id: 'file-of-another' } })
    expect([response.status, seen]).toEqual([404, []])
  })

  test('an operation that the vendor of a model lacks is refused', async () => {
    const response = await world.post('/v1/ocr', { ...body, model: 'gpt-4o' })
    expect([response.status, await response.json()]).toMatchObject([501, { error: { type: 'server_error' } }])
  })
})
