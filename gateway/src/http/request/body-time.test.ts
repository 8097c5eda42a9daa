import { expect, test } from 'bun:test'

import { announcedBytes, piecesOf } from './body-time'

/** Timers whose time is over when the test says so. */
function timersAtHand() {
  const waiting = new Set<() => void>()
  return {
    elapse: () => waiting.forEach((work) => work()),
    after(_ms: number, work: () => void) {
      waiting.add(work)
      return () => waiting.delete(work)
    },
  }
}

test('a body that stops is cut, and one that goes on slowly is not', async () => {
  const timers = timersAtHand()
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  let isCancelled = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (streamController) => void (controller = streamController),
    cancel: () => void (isCancelled = true),
  })
  const pieces = piecesOf(body, timers)
  for (const byte of [1, 2]) {
    const next = pieces.next()
    controller?.enqueue(Uint8Array.of(byte))
    expect((await next).value).toEqual(Uint8Array.of(byte))
  }
  timers.elapse()
  const stalled = pieces.next()
  await Promise.resolve()
  timers.elapse()
  expect(await stalled.catch((error: unknown) => error)).toMatchObject({ code: 'body.slow' })
  expect(isCancelled).toBe(true)
})

test.each([
  [null, null],
  ['0', 0],
  ['70000', 70_000],
  ['70000, 70000', 70_000],
  ['99999999999999999999', null],
  ['none', null],
])('the length %j announces %p bytes', (text, bytes) => {
  const headers = new Headers(text === null ? {} : { 'content-length': text })
  expect(announcedBytes({ headers })).toBe(bytes)
})
