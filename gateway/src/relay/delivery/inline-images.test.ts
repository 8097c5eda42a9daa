import { expect, test } from 'bun:test'

import type { DialectId, JsonObject } from '@tollgate/dialects'
import pino from 'pino'

import { OutboundRefused } from '../../platform/net/outbound/outbound'
import { withInlineImages } from './inline-images'

const url = 'https://images.example/a.png'
const image = { status: 200, contentType: 'image/png', body: new Uint8Array([1, 2, 3]) }
const requestedUrls: string[] = []

const inlineImages = (response: JsonObject, dialect: DialectId, json: JsonObject, found = image) => {
  requestedUrls.length = 0
  const outbound = {
    send: (request: { readonly url: string }) => {
      requestedUrls.push(request.url)
      return request.url === url ? Promise.resolve(found) : Promise.reject(new OutboundRefused())
    },
  }
  const ctx = { outbound, log: pino({ level: 'silent' }) }
  return withInlineImages({ call: { dialect }, body: { json }, deps: { ctx } }, response)
}

const inlineRequest = { response_format: 'b64_json' }

test('images are put into the response of a client that wants them inside', async () => {
  const response = { created: 1, data: [{ url, revised_prompt: 'ice' }, { url }] }
  expect(await inlineImages(response, 'openai-images', inlineRequest)).toEqual({
    created: 1,
    data: [{ b64_json: 'AQID', revised_prompt: 'ice' }, { b64_json: 'AQID' }],
  })
  expect(requestedUrls).toEqual([url])
  const predictions = [{ mimeType: 'image/png', gcsUri: url }]
  expect(await inlineImages({ predictions }, 'imagen', {})).toEqual({
    predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AQID' }],
  })
})

test('ten images are fetched at most, as no call can request more', async () => {
  const data = Array.from({ length: 100 }, (_, index) => ({ url: `https://images.example/${index}.png` }))
  await inlineImages({ data }, 'openai-images', inlineRequest)
  expect(requestedUrls).toHaveLength(10)
})

test('a response is unchanged where nothing has to be fetched', async () => {
  const named = { data: [{ url }] }
  const inside = { data: [{ b64_json: 'AAAA' }, { url }] }
  expect(await inlineImages(named, 'openai-images', { response_format: 'url' })).toBe(named)
  expect(await inlineImages(named, 'openai-images', {})).toBe(named)
  expect(await inlineImages(inside, 'openai-images', inlineRequest)).toBe(inside)
  expect(await inlineImages(named, 'openai-chat', inlineRequest)).toBe(named)
  expect(requestedUrls).toEqual([])
})

test.each([
  ['is refused', { data: [{ url: 'https://127.0.0.1/a.png' }] }, image],
  ['is gone', { data: [{ url }] }, { ...image, status: 404 }],
  ['is a page', { data: [{ url }] }, { ...image, contentType: 'text/html' }],
])('an address that %s stays in the response', async (_name, response, found) => {
  expect(await inlineImages(response, 'openai-images', inlineRequest, found)).toEqual(response)
})
