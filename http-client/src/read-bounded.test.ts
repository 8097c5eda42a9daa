import { expect, test } from 'bun:test'

import { ResponseTooLarge, readBeginning, readBounded } from './read-bounded'

/** An endless response, ten bytes at a time; `state` tells what became of it. */
function endless() {
  const state = { given: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      state.given += 10
      controller.enqueue(new Uint8Array(10).fill(65))
    },
    cancel: () => void (state.isCancelled = true),
  })
  return { answer: new Response(body), state }
}

test('a response within the bound is read whole', async () => {
  expect(String(await readBounded(new Response('0123456789'), 10))).toBe('0123456789')
  expect(await readBounded(new Response(null), 10)).toHaveLength(0)
})

test('a response one byte beyond the bound is refused, and an endless one is cancelled', async () => {
  expect(readBounded(new Response('0123456789'), 9)).rejects.toBeInstanceOf(ResponseTooLarge)
  const { answer, state } = endless()
  expect(await readBounded(answer, 100).catch((error: unknown) => error)).toBeInstanceOf(ResponseTooLarge)
  expect(state.isCancelled).toBe(true)
  expect(state.given).toBeLessThan(200)
})

test('the beginning of a response is cut to the byte', async () => {
  const { answer, state } = endless()
  expect(await readBeginning(answer, 25)).toHaveLength(25)
  expect(state.isCancelled).toBe(true)
  expect(String(await readBeginning(new Response('short'), 25))).toBe('short')
})
