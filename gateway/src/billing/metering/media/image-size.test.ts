import { describe, expect, test } from 'bun:test'

import { imageSize } from './image-size'

const base64 = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64')
const zeros = (count: number) => Array.from({ length: count }, () => 0)

describe('the size of an image', () => {
  const frame = [0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80, 3]
  const size = { width: 640, height: 480 }
  test.each([
    ['PNG', base64([0x89], 'PNG\r\n\u001a\n', zeros(3), [13], 'IHDR', [0, 0, 2, 0x80, 0, 0, 1, 0xe0], zeros(9))],
    ['GIF', base64('GIF89a', [0x80, 2, 0xe0, 1], zeros(9))],
    ['WebP that loses', base64('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [0x80, 2, 0xe0, 1], zeros(4))],
    ['WebP that loses nothing', base64('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 0x7f, 0xc2, 0x77, 0], zeros(8))],
    ['WebP with extensions', base64('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [0x7f, 2, 0, 0xdf, 1, 0], zeros(4))],
    [
      'JPEG behind a preview',
      base64([0xff, 0xd8, 0xff, 0xe1, 0x80, 2], zeros(0x8000), [0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80, 3], zeros(20)),
    ],
    ...[0xc4, 0xc8, 0xcc, 0xbf, 0xd0].map(
      (marker) =>
        [
          `JPEG behind a segment ${marker}`,
          base64([0xff, 0xd8, 0xff, marker, 0, 9], zeros(7), frame, zeros(9)),
        ] as const,
    ),
  ])('the size is read from the head of a %s', (_format, data) => {
    expect(imageSize(data)).toEqual(size)
  })

  test.each([
    ['nothing', ''],
    ['another format', base64('%PDF-1.7', zeros(40))],
    ['a JPEG that breaks off', base64([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff], zeros(40))],
    ['a picture without an area', base64('GIF89a', zeros(20))],
    ['no base64', '::::'],
    ['a frame of a JPEG without its signature', base64([0xff, 0xd9], frame, zeros(20))],
    ['a JPEG that ends within its frame', base64([0xff, 0xd8], frame.slice(0, 8))],
    ['a WebP that breaks off', base64('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [0x7f, 2, 0, 0xdf])],
    ['a PNG that breaks off', base64([0x89], 'PNG\r\n\u001a\n', zeros(3), [13], 'IHDR', [0, 0, 2, 0x80])],
  ])('the size is unknown of %s', (_name, data) => {
    expect(imageSize(data)).toBeNull()
  })
})
