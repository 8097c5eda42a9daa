import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { isMadeOf, stretchesOf, type Level } from './levels'

const hour = 3600
const third = 8 * hour
const day = 24 * hour
const week = 7 * day

const levels = (until: number, longUntil: number): Level[] => [
  { number: 101, span: week, until: longUntil },
  { number: 1, span: day, until },
  { number: 101, span: third, until: longUntil },
  { number: 1, span: hour, until },
]

test('the longest sums lie in the middle, shorter ones at both ends', () => {
  const hours = { from: week - day - third - hour, before: 3 * week + 2 * day + hour }
  expect(stretchesOf(hours, levels(9 * week, 9 * week))).toEqual([
    { number: 1, span: hour, from: week - day - third - hour, before: week - day - third },
    { number: 101, span: third, from: week - day - third, before: week - day },
    { number: 1, span: day, from: week - day, before: week },
    { number: 101, span: week, from: week, before: 3 * week },
    { number: 1, span: day, from: 3 * week, before: 3 * week + 2 * day },
    { number: 1, span: hour, from: 3 * week + 2 * day, before: 3 * week + 2 * day + hour },
  ])
})

test('what is not added up by the week is read by the day', () => {
  expect(stretchesOf({ from: 0, before: 2 * week }, levels(2 * week, week + third))).toEqual([
    { number: 101, span: week, from: 0, before: week },
    { number: 1, span: day, from: week, before: 2 * week },
  ])
  expect(stretchesOf({ from: 0, before: third }, levels(third, 0))).toEqual([
    { number: 1, span: hour, from: 0, before: third },
  ])
})

test('stretches hold each hour once, in whole sums that are made', () => {
  const hours = (most: number) => fc.nat(most).map((count) => count * hour)
  fc.assert(
    fc.property(hours(600), hours(600), hours(1300), hours(1300), (from, length, later, longUntil) => {
      const before = from + length
      const known = levels(before + later, longUntil)
      let place = from
      for (const { number, span, ...stretch } of stretchesOf({ from, before }, known)) {
        const until = known.find((level) => level.number === number && level.span === span)?.until ?? 0
        expect(stretch.from).toBe(place)
        expect([stretch.from % span, stretch.before % span]).toEqual([0, 0])
        expect(stretch.before).toBeGreaterThan(stretch.from)
        expect(stretch.before).toBeLessThanOrEqual(until)
        place = stretch.before
      }
      expect(place).toBe(before)
    }),
  )
})

test('days of China are made of thirds, those of India of nothing', () => {
  expect(isMadeOf({ size: day, shift: 0 }, day)).toBe(true)
  expect(isMadeOf({ size: day, shift: third }, day)).toBe(false)
  expect(isMadeOf({ size: day, shift: third }, third)).toBe(true)
  expect(isMadeOf({ size: day, shift: 5.5 * hour }, hour)).toBe(false)
})
