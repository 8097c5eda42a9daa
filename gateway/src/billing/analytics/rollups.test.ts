import { expect, test } from 'bun:test'

import { lastDays } from './rollups'

test.each([
  ['in the middle of an hour', '2026-02-10T12:30:00Z'],
  ['at the beginning of an hour', '2026-02-10T12:00:00Z'],
])('the last days include the current hour %s', (_when, now) => {
  const [from, before] = [Date.parse('2026-02-09T13:00:00Z') / 1000, Date.parse('2026-02-10T13:00:00Z') / 1000]
  expect(lastDays(1, Date.parse(now))).toEqual({ from, before })
})
