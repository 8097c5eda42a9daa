import { expect, test } from 'bun:test'

import { formatBytes } from './byte-size'

test.each([
  [0, '0 B'],
  [0.5, '1 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [99.9 * 1024, '99.9 KB'],
  [100.4 * 1024, '100 KB'],
  [1024 ** 2, '1 MB'],
  [2.5 * 1024 ** 3, '2.5 GB'],
  [1024 ** 5, '1024 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
