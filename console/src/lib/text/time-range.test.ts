import { expect, test } from 'bun:test'

import { readTime } from '../../components/time-range/range-dialog'
import { rangeText } from './time-range'

const ends = { ever: 'beginning', now: 'now' }
const now = readTime('2026-11-23 12:00') ?? 0
const text = (from: string, to: string) =>
  rangeText({ from: readTime(from), to: readTime(to, { isEnd: true }) }, ends, now)

test.each([
  ['2026-11-01', '2026-11-21', '11-01 – 11-21'],
  ['2026-11-21', '2026-11-21', '11-21'],
  ['2026-11-21 07:00', '2026-11-21 09:30', '11-21 07:00 – 11-21 09:30'],
  ['2026-11-21 07:00:05', '', '11-21 07:00:05 – now'],
  ['', '2026-11-21', 'beginning – 11-21'],
  ['2025-12-31', '2026-01-01', '2025-12-31 – 2026-01-01'],
])('the range from %j until %j reads %j', (from, to, expected) => {
  expect(text(from, to)).toBe(expected)
})
