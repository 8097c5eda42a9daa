import type { PriceSchedule } from '../price-entry'
import { expect, test } from 'bun:test'

import { scheduleAt } from './schedule'

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const hours = (some: Partial<PriceSchedule>): PriceSchedule => ({
  name: 'night',
  zone: 'UTC',
  days: everyDay,
  from: '16:30',
  to: '00:30',
  factor: 0.5,
  ...some,
})
const isIn = (schedule: PriceSchedule, moment: string) => scheduleAt([schedule], Date.parse(moment)) !== null

test.each<[string, Partial<PriceSchedule>, string, boolean]>([
  ['begins to the minute', {}, '2026-11-23T16:30:00Z', true],
  ['has not begun a millisecond before', {}, '2026-11-23T16:29:59.999Z', false],
  ['goes on over midnight', {}, '2026-11-24T00:00:00Z', true],
  ['is over when its end is reached', {}, '2026-11-24T00:30:00Z', false],
  ['goes on over the midnight of its own zone, not of UTC', { zone: 'Asia/Shanghai' }, '2026-11-23T16:29:59Z', true],
  ['is over by the clock of its zone', { zone: 'Asia/Shanghai' }, '2026-11-23T16:30:00Z', false],
  // 2026-11-27 is a Friday.
  ['belongs to the day it began on', { days: [5] }, '2026-11-28T00:15:00Z', true],
  ['does not begin on another day', { days: [5] }, '2026-11-27T00:15:00Z', false],
  ['of a Sunday ends on Monday', { days: [7] }, '2026-11-30T00:15:00Z', true],
  ['with equal times is a whole day', { days: [5], from: '06:00', to: '06:00' }, '2026-11-28T05:59:59Z', true],
  ['with equal times ends after a day', { days: [5], from: '06:00', to: '06:00' }, '2026-11-28T06:00:00Z', false],
])('a schedule %s', (_name, some, moment, expected) => {
  expect(isIn(hours(some), moment)).toBe(expected)
})

const newYork = hours({ zone: 'America/New_York', from: '02:00', to: '03:00' })

test('an hour that daylight saving skips never occurs', () => {
  // 02:00 becomes 03:00 at 07:00 UTC.
  expect(isIn(newYork, '2026-03-08T06:59:59Z')).toBe(false)
  expect(isIn(newYork, '2026-03-08T07:00:00Z')).toBe(false)
})

test('an hour that the end of daylight saving repeats counts twice', () => {
  const repeated = { ...newYork, from: '01:00', to: '02:00' }
  expect(isIn(repeated, '2026-11-01T05:30:00Z')).toBe(true)
  expect(isIn(repeated, '2026-11-01T06:30:00Z')).toBe(true)
  expect(isIn(repeated, '2026-11-01T07:00:00Z')).toBe(false)
})

test('the first of several schedules counts', () => {
  const [half, third] = [hours({ factor: 0.5 }), hours({ factor: 0.3, from: '16:00' })]
  expect(scheduleAt([half, third], Date.parse('2026-11-23T17:00:00Z'))?.factor).toBe(0.5)
  expect(scheduleAt([half, third], Date.parse('2026-11-23T16:15:00Z'))?.factor).toBe(0.3)
  expect(scheduleAt([], 0)).toBeNull()
})
