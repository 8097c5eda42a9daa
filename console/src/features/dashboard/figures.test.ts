import { expect, test } from 'bun:test'

import { daysLeft, errorShare, growth } from './figures'
import { sharedDecimals } from './column-money'
import { healthLevel } from '../../components/chart/health-level'

test.each([
  [{ count: 0, errors: 0 }, 0],
  [{ count: 3, errors: 1 }, 0.25],
  [{ count: 0, errors: 2 }, 1],
])('the error share of %p is computed', (sums, share) => {
  expect(errorShare(sums)).toBe(share)
})

test.each([
  [1000, 100, 7, 70],
  [1000, 0, 7, undefined],
  [-5, 100, 7, 0],
  [1e12, 1, 7, undefined],
])('a balance of %p with %p spent in %p days lasts %p days', (balance, spent, days, left) => {
  expect(daysLeft(balance, spent, days)).toBe(left)
})

test('growth is relative to the earlier value and undefined from zero', () => {
  expect(growth(150, 100)).toBe(0.5)
  expect(growth(50, 100)).toBe(-0.5)
  expect(growth(5, 0)).toBeUndefined()
})

test.each([
  [null, 'quiet'],
  [{ count: 100, errors: 0 }, 'good'],
  [{ count: 95, errors: 5 }, 'fair'],
  [{ count: 6, errors: 4 }, 'poor'],
  [{ count: 0, errors: 1 }, 'bad'],
] as const)('the level of %p is %s', (cell, level) => {
  expect(healthLevel(cell)).toBe(level)
})

test.each([
  [[0.47, 0.471, 0], 3],
  [[0.84, 0.4], 2],
  [[12, -0.471, 0.000123], 2],
  [[], 2],
])('a column of %j dollars has %d decimals', (dollars, decimals) => {
  expect(sharedDecimals(dollars)).toBe(decimals)
})
