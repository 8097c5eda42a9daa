import { afterAll, beforeAll, expect, test } from 'bun:test'

import { systemTimers } from '../../platform/time/timers'
import { detach } from '../limits/byte-budget'
import { readWhole } from './read-whole'

const bodies: Buffer[] = []
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await readWhole(request, systemTimers)
    bodies.push(Buffer.from(body))
    detach(body)
    return new Response(String(body.byteLength))
  },
})
beforeAll(() => {
  bodies.length = 0
})
afterAll(() => server.stop(true))

/** Bytes that differ at each place, so that none can stand for another. */
const createPattern = (size: number) => {
  const words = Uint32Array.from({ length: Math.ceil(size / 4) }, (_, at) => Math.imul(at, 2_654_435_761))
  return new Uint8Array(words.buffer).subarray(0, size)
}

test.each([0, 10, 300_000, 9_000_001])(
  'a body of %p bytes is read as it was sent, and its memory can be freed',
  async (size) => {
    const sent = createPattern(size)
    const response = await fetch(server.url, { method: 'POST', body: sent })
    expect(await response.text()).toBe('0')
    expect(bodies.at(-1)?.equals(sent)).toBe(true)
  },
)

test('a body of unknown length is read too', async () => {
  const sent = createPattern(700_000)
  const pieces = new ReadableStream({
    start(controller) {
      for (let at = 0; at < sent.length; at += 100_000) controller.enqueue(sent.slice(at, at + 100_000))
      controller.close()
    },
  })
  await (await fetch(server.url, { method: 'POST', body: pieces })).text()
  expect(bodies.at(-1)?.equals(sent)).toBe(true)
})

test('a view of a part of a buffer is not freed', () => {
  const buffer = new ArrayBuffer(8)
  detach(new Uint8Array(buffer, 0, 4))
  expect(buffer.byteLength).toBe(8)
})
