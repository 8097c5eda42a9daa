import { describe, expect, test } from 'bun:test'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import * as fc from 'fast-check'

import { maskFor } from './edit-mask'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

interface Image {
  readonly width: number
  readonly height: number
  readonly color: number
  /** Rows with the filter before each. */
  readonly rows: Uint8Array
}

function png({ width, height, color, rows }: Image): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, color], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts]).toString('base64')
}

/** A reference encoder: filters the rows of an image as the standard says, each by its own filter. */
function filterRows(pixels: readonly Uint8Array[], filters: readonly number[], channels: number): Buffer {
  const lines = pixels.map((line, row) => {
    const above = pixels[row - 1] ?? new Uint8Array(line.length)
    const bytes = line.map((value, at) => {
      const [a, b, c] = [line[at - channels] ?? 0, above[at] ?? 0, above[at - channels] ?? 0]
      const estimate = a + b - c
      const nearest = [a, b, c].toSorted((one, other) => Math.abs(estimate - one) - Math.abs(estimate - other))[0] ?? 0
      return value - ([0, a, b, Math.floor((a + b) / 2), nearest][filters[row] ?? 0] ?? 0)
    })
    return Buffer.concat([Buffer.from([filters[row] ?? 0]), bytes])
  })
  return Buffer.concat(lines)
}

const source = (data: string) => ({ kind: 'data', mime: 'image/png', data }) as const

/** The gray values of a mask that was made. */
function valuesOf(mask: ReturnType<typeof maskFor>): number[] {
  if (mask.kind !== 'data') throw new Error('The mask is not an image')
  const bytes = Buffer.from(mask.data, 'base64')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  expect([bytes[24], bytes[25]]).toEqual([8, 0])
  const at = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  return Array.from({ length: height }, (_, row) => [
    ...rows.subarray(row * (width + 1) + 1, (row + 1) * (width + 1)),
  ]).flat()
}

describe('a mask of OpenAI', () => {
  // Two pixels: red and opaque, green and transparent.
  const mask = source(png({ width: 2, height: 1, color: 6, rows: Buffer.from([0, 255, 0, 0, 255, 0, 255, 0, 0]) }))

  test('a mask is white where it is transparent for vendors that edit what is white', () => {
    expect(valuesOf(maskFor(mask, 'white'))).toEqual([0, 255])
  })

  test('a mask is black where it is transparent for vendors that edit what is black', () => {
    expect(valuesOf(maskFor(mask, 'black'))).toEqual([255, 0])
  })

  test('a mask is read whatever filters its rows have', () => {
    const channels = 4
    const image = fc
      .record({
        width: fc.integer({ min: 1, max: 6 }),
        filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 }),
      })
      .chain(({ width, filters }) =>
        fc.record({
          width: fc.constant(width),
          filters: fc.constant(filters),
          pixels: fc.array(fc.uint8Array({ minLength: width * channels, maxLength: width * channels }), {
            minLength: filters.length,
            maxLength: filters.length,
          }),
        }),
      )
    fc.assert(
      fc.property(image, ({ width, filters, pixels }) => {
        // One pixel at least is transparent.
        pixels[0]?.set([0], 3)
        const rows = filterRows(pixels, filters, channels)
        const alpha = pixels.flatMap((line) => [...line].filter((_, at) => at % channels === 3))
        const editMask = maskFor(source(png({ width, height: filters.length, color: 6, rows })), 'white')
        expect(valuesOf(editMask)).toEqual(alpha.map((value) => (value === 0 ? 255 : 0)))
      }),
    )
  })
})

test.each([
  ['an address', { kind: 'url', url: 'https://example.com/a.png' } as const],
  ['a mask without transparency', source(png({ width: 1, height: 1, color: 0, rows: Buffer.from([0, 9]) }))],
  [
    'a mask that is transparent nowhere',
    source(png({ width: 1, height: 1, color: 4, rows: Buffer.from([0, 9, 255]) })),
  ],
  ['what is not an image', source('AAAA')],
  ['a damaged image', source(png({ width: 9, height: 9, color: 6, rows: Buffer.from([0]) }))],
])('%s stays as it is', (_, mask) => {
  expect(maskFor(mask, 'white')).toBe(mask)
})

test('a mask of very many pixels is refused', () => {
  const rows = Buffer.alloc(10)
  expect(() => maskFor(source(png({ width: 60_000, height: 60_000, color: 6, rows })), 'white')).toThrow(
    "Invalid 'mask'",
  )
})
