import { expect, test } from 'bun:test'

import { formatTime } from '../../lib/text/format'
import { readTime } from './range-dialog'

test.each([
  ['2026-11-21', '2026-11-21 00:00:00'],
  ['2026-1-2 7:05', '2026-01-02 07:05:00'],
  [' 2026-11-21T07:02:54 ', '2026-11-21 07:02:54'],
])('%j begins at %j', (text, at) => {
  expect(formatTime(readTime(text) ?? 0)).toBe(at)
})

test.each([
  ['2026-11-21', '2026-11-21 23:59:59'],
  ['2026-11-21 07:02', '2026-11-21 07:02:00'],
])('%j ends at %j', (text, at) => {
  expect(formatTime(readTime(text, { isEnd: true }) ?? 0)).toBe(at)
})

test.each(['', 'yesterday', '2026-11-31', '2026-13-01', '2026-11-21 24:00', '2026-11-21 07:60', '2026-11-21 07'])(
  '%j is not a time',
  (text) => {
    expect(readTime(text)).toBeUndefined()
  },
)
