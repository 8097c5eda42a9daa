import { expect, test } from 'bun:test'

import type { ByteReader } from '@tollgate/http-client'
import { SlicedReader } from './stream-opening'

function readerOf(...sizes: readonly number[]): ByteReader {
  const left = [...sizes]
  return {
    read() {
      const size = left.shift()
      return Promise.resolve(size === undefined ? { done: true } : { done: false, value: new Uint8Array(size) })
    },
    cancel: () => Promise.resolve(),
  }
}

async function pourSizes(reader: ByteReader, maxSlices = Infinity) {
  const sizes: number[] = []
  const isOver = await reader.pour?.((bytes) => {
    sizes.push(bytes.byteLength)
    return sizes.length < maxSlices
  })
  return { sizes, isOver }
}

test('a long read is handed out in slices, and pouring hands out the rest at once', async () => {
  const reader = new SlicedReader(readerOf(3000, 5000))
  expect((await reader.read()).value).toHaveLength(1024)
  expect((await reader.read()).value).toHaveLength(1024)
  expect(await pourSizes(reader)).toEqual({ sizes: [952, 5000], isOver: true })
})

test('short reads and the end of the stream pass unchanged', async () => {
  const reader = new SlicedReader(readerOf(0, 1024))
  expect((await reader.read()).value).toHaveLength(0)
  expect((await reader.read()).value).toHaveLength(1024)
  expect((await reader.read()).done).toBe(true)
})

test('a consumer that stops before the end gets no more', async () => {
  const reader = new SlicedReader(readerOf(3000, 5000))
  await reader.read()
  expect(await pourSizes(reader, 1)).toEqual({ sizes: [1976], isOver: false })
  expect(await pourSizes(reader)).toEqual({ sizes: [5000], isOver: true })
})
