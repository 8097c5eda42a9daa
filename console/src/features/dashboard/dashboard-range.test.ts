import { expect, test } from 'bun:test'

import { bucketWithin, isStepFor, rangeOf, stepFor, wholeHours } from './dashboard-range'

const now = Date.UTC(2026, 10, 23, 14, 37)
const hour = 3600

test.each([
  [1, 'hour'],
  [7, 'hour'],
  [30, 'day'],
  [90, 'day'],
  [365, 'week'],
] as const)('the best step for %p days is %s', (days, step) => {
  expect(stepFor(days)).toBe(step)
})

test.each([
  ['hour', 90, false],
  ['hour', 30, true],
  ['day', 1, true],
  ['week', 1, false],
  ['week', 90, true],
] as const)('step %s for %p days is allowed: %p', (step, days, isAllowed) => {
  expect(isStepFor(step, days)).toBe(isAllowed)
})

test('24 hours by the hour are 24 buckets, the current one last', () => {
  const { start, end } = rangeOf(1, 'hour', now)
  expect(start).toBe(Date.UTC(2026, 10, 22, 15) / 1000)
  expect(end).toBeUndefined()
})

test('a range moves on with the hour', () => {
  const [before, after] = [rangeOf(1, 'hour', now), rangeOf(1, 'hour', now + 23 * 60_000)]
  expect(after.start - before.start).toBe(hour)
  expect(rangeOf(1, 'hour', now + 60_000)).toEqual(before)
})

test('days begin at local midnight', () => {
  const start = new Date(rangeOf(7, 'day', now).start * 1000)
  expect([start.getHours(), start.getMinutes()]).toEqual([0, 0])
})

test('the rows of an hour end before the next hour', () => {
  expect(bucketWithin(7200, 'hour', { start: 0, end: undefined })).toEqual({ from: 7200, to: 7200 + hour - 1 })
})

test('the rows of a day end before the next midnight', () => {
  const range = rangeOf(7, 'day', now)
  const { to } = bucketWithin(range.start, 'day', range)
  expect(to + 1 - range.start).toBe(86_400)
})

test('a custom range is widened to the whole hours around its ends', () => {
  expect(wholeHours(7200 + 5, 10_800 + 7)).toEqual({ start: 7200, end: 14_399 })
  expect(wholeHours(7200, undefined)).toEqual({ start: 7200, end: undefined })
})

test('the rows of a day at the edge of the range are limited to the range', () => {
  const { start } = rangeOf(7, 'day', now)
  const range = { start: start + 5 * hour, end: start + 9 * hour - 1 }
  expect(bucketWithin(start, 'day', range)).toEqual({ from: range.start, to: range.end })
})
