import { expect, test } from 'bun:test'

import { dayFormatter, monthAfter, startOfDay } from './calendar'

test.each([
  ['UTC', '2026-03-01', '2026-03-01T00:00:00Z'],
  ['Asia/Shanghai', '2026-03-01', '2026-02-28T16:00:00Z'],
  ['Asia/Kolkata', '2026-03-01', '2026-02-28T18:30:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z'],
  ['Etc/GMT+12', '2026-01-01', '2026-01-01T12:00:00Z'],
  // Clocks went from 23:59:59 to 01:00:00: the day begins at one.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
])('a day in %s %s begins at %s', (zone, day, start) => {
  const seconds = Date.parse(start) / 1000
  expect(startOfDay(day, zone)).toBe(seconds)
  const formatDay = dayFormatter(zone)
  expect(formatDay(seconds)).toBe(day)
  expect(formatDay(seconds - 1) < day).toBe(true)
})

test('months follow each other, also across the end of a year', () => {
  expect([monthAfter('2026-01'), monthAfter('2026-09'), monthAfter('2026-12')]).toEqual([
    '2026-02',
    '2026-10',
    '2027-01',
  ])
})
