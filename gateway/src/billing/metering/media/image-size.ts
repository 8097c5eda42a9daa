/** In pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** How much of a JPEG is searched: what a camera puts before the size, such as a preview, fits in several times. */
const maxHeadLength = 256 * 1024
/** Enough for the other formats. */
const shortHead = 32

/** Returns the size in the head of a PNG, GIF, WebP or JPEG; null where there is none. `data` is base64. */
export function imageSize(data: string): ImageSize | null {
  const head = decodePrefix(data, shortHead)
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? jpegSize(head, data)
  return size && size.width > 0 && size.height > 0 ? size : null
}

const decodePrefix = (data: string, bytes: number): Buffer =>
  Buffer.from(data.slice(0, Math.ceil(bytes / 3) * 4), 'base64')

const text = (head: Buffer, from: number, to: number): string => head.toString('latin1', from, to)

function pngSize(head: Buffer): ImageSize | null {
  if (head.length < 24 || text(head, 1, 4) !== 'PNG') return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

function gifSize(head: Buffer): ImageSize | null {
  if (head.length < 10 || text(head, 0, 3) !== 'GIF') return null
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(head: Buffer): ImageSize | null {
  if (head.length < 30 || text(head, 8, 12) !== 'WEBP') return null
  switch (text(head, 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  }
}

/** Segments of a JPEG that begin a frame contain its size. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function jpegSize(head: Buffer, data: string): ImageSize | null {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return null
  const bytes = decodePrefix(data, maxHeadLength)
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    if (isFrame(bytes[at + 1] ?? 0)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + Math.max(bytes.readUInt16BE(at + 2), 2)
  }
  return null
}
