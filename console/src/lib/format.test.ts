import { expect, test } from 'bun:test'

import { formatTimeThisYear } from './format'
import { readTime } from './read-time'

const at = (text: string) => readTime(text) ?? 0
const now = at('2026-11-23 12:00')

test.each([
  ['2026-11-21 07:02:54', '11-21 07:02:54'],
  ['2025-12-31 23:59:59', '2025-12-31 23:59:59'],
  ['2027-01-01', '2027-01-01 00:00:00'],
])('%s is told as %s in 2026', (time, expected) => {
  expect(formatTimeThisYear(at(time), now)).toBe(expected)
})
