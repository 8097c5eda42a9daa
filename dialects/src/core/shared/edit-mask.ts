import { crc32, deflateSync, inflateSync } from 'node:zlib'

import { DialectError } from '../dialect-error'
import type { Source } from '../neutral/call'

/** The colour that says where to edit; the rest has the other one. */
type Edited = 'white' | 'black'

/**
 * Returns a mask for vendors that edit where it is white, or where it is black. OpenAI's masks are transparent there. A mask without
 * transparency is taken to be in the vendor's form already.
 * @throws DialectError for a mask of too many pixels.
 */
export function maskFor(mask: Source, edited: Edited): Source {
  if (mask.kind !== 'data') return mask
  const png = Buffer.from(mask.data, 'base64')
  const alpha = alphaOf(png)
  if (alpha === null || !alpha.values.includes(0)) return mask
  const white = edited === 'white' ? 0 : 0xff
  const values = alpha.values.map((value) => (value === 0 ? 0xff - white : white))
  return { kind: 'data', mime: 'image/png', data: grayPng({ ...alpha, values }).toString('base64') }
}

/** One value for each pixel, row by row. */
interface Plane {
  readonly width: number
  readonly height: number
  readonly values: Uint8Array
}

const signature = '\x89PNG\r\n\x1a\n'
/** Decoding them takes some hundredths of a second. */
const maxPixels = 2048 * 2048
/** Channels by the colour types that have transparency. */
const channelsOf: Readonly<Record<number, number>> = { 4: 2, 6: 4 }

/** Null for what is not a PNG image with transparency, or one that is stored in an unusual way. https://www.w3.org/TR/png-3/ */
function alphaOf(png: Buffer): Plane | null {
  if (png.toString('latin1', 0, 8) !== signature || png.length < 33) return null
  const [width, height, depth, color, interlace] = [
    png.readUInt32BE(16),
    png.readUInt32BE(20),
    png[24],
    png[25],
    png[28],
  ]
  const channels = channelsOf[color ?? 0]
  if (channels === undefined || depth !== 8 || interlace !== 0 || width * height === 0) return null
  if (width * height > maxPixels)
    throw new DialectError('mask', 'invalid_value', "Invalid 'mask': it may have 2048 x 2048 pixels at most.")
  const rows = inflateRows(dataOf(png), height * (1 + width * channels))
  return rows === null ? null : { width, height, values: lastChannel(rows, { width, height, channels }) }
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = signature.length; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return Buffer.concat(parts)
}

/** Null for damaged data, and for more or less than the image has. */
function inflateRows(data: Buffer, length: number): Buffer | null {
  try {
    const rows = inflateSync(data, { maxOutputLength: length })
    return rows.length === length ? rows : null
  } catch {
    return null
  }
}

/**
 * Undoes the filters of the rows, each of which is told by its first byte, and returns the last channel of each pixel. A filter looks at
 * neighbours in the same channel only, so the others are left alone.
 */
function lastChannel(rows: Buffer, { width, height, channels }: Omit<Plane, 'values'> & { readonly channels: number }) {
  const values = new Uint8Array(width * height)
  const stride = 1 + width * channels
  let index = 0
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * stride] ?? 0
    const above = row === 0 ? -1 : index - width
    let at = row * stride + channels
    let left = 0
    let corner = 0
    for (let x = 0; x < width; x += 1) {
      const up = above < 0 ? 0 : (values[above + x] ?? 0)
      left = ((rows[at] ?? 0) + predictByte(filter, left, up, corner)) & 0xff
      values[index] = left
      corner = up
      index += 1
      at += channels
    }
  }
  return values
}

function predictByte(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function grayPng({ width, height, values }: Plane): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row += 1)
    rows.set(values.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from(signature, 'latin1'), ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(content.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  bytes.set(content, 4)
  bytes.writeUInt32BE(crc32(content), content.length + 4)
  return bytes
}
