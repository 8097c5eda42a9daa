import { expect, test } from 'bun:test'

import { readFrames } from './call-chat'

const bytes = new TextEncoder()
const never = new AbortController().signal

function bodyOf(...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

const read = (...chunks: readonly Uint8Array[]) => Array.fromAsync(readFrames(bodyOf(...chunks), never))

const wire = ': hello\n\ndata: {"a":"é漢😀"}\r\n\r\ndata: two\ndata: lines\n\nid: 7\ndata: [DONE]\n\n'
const frames = ['{"a":"é漢😀"}', 'two\nlines', '[DONE]']

test('frames are the same wherever the stream is cut', async () => {
  const whole = bytes.encode(wire)
  for (let at = 0; at <= whole.length; at += 1) expect(await read(whole.slice(0, at), whole.slice(at))).toEqual(frames)
})

test('frames are the same byte by byte', async () => {
  expect(await read(...Array.from(bytes.encode(wire), (byte) => Uint8Array.of(byte)))).toEqual(frames)
})

test('the last event counts without its closing blank line', async () => {
  expect(await read(bytes.encode('data: one\n\ndata: two'))).toEqual(['one', 'two'])
})

test('leaving the loop early cancels the source', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes.encode('data: one\n\n')),
    cancel() {
      isCancelled = true
    },
  })
  for await (const frame of readFrames(body, never)) {
    expect(frame).toBe('one')
    break
  }
  expect(isCancelled).toBe(true)
})

test('a signal ends a stream that stalls', async () => {
  const controller = new AbortController()
  const body = new ReadableStream<Uint8Array>({ start: (source) => source.enqueue(bytes.encode('data: one\n\n')) })
  const seen: string[] = []
  for await (const frame of readFrames(body, controller.signal)) {
    seen.push(frame)
    controller.abort()
  }
  expect(seen).toEqual(['one'])
})
