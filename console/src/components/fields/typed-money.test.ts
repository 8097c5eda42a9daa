import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { isTypedAmount, quotaOfTyped, typedDollars } from './money-input'

test.each([
  ['8.19', 500_000, 4_095_000],
  ['0.29', 100, 29],
  ['-8.19', 500_000, -4_095_000],
  ['1.005', 1000, 1005],
  [0, 500_000, 0],
  ['0.000002', 500_000, 1],
  [3, 123_456, 370_368],
] as const)('%p dollars at %d units per dollar are %d units of quota', (dollars, quotaPerDollar, quota) => {
  expect(quotaOfTyped(dollars, quotaPerDollar)).toBe(quota)
})

test.each([
  [617_283_500, 500_000, '1234.567'],
  [1, 500_000, '0.000002'],
  [0, 500_000, '0'],
  [-250_000, 500_000, '-0.5'],
  [61_728, 123_456, '0.5'],
] as const)('%d units of quota at %d units per dollar fill a field with %p', (quota, quotaPerDollar, dollars) => {
  expect(typedDollars(quota, quotaPerDollar)).toBe(dollars)
})

test('typing what a field shows gives the same quota, whatever the amount and the site’s units', () => {
  const quota = fc.integer({ min: -(2 ** 40), max: 2 ** 40 })
  const quotaPerDollar = fc.constantFrom(1, 100, 1000, 123_456, 500_000)
  fc.assert(
    fc.property(quota, quotaPerDollar, (units, perDollar) => {
      expect(quotaOfTyped(typedDollars(units, perDollar), perDollar)).toBe(units)
    }),
  )
})

test.each([
  ['', false],
  ['  ', false],
  ['-', false],
  ['1e999', false],
  ['0', true],
  ['-2.5', true],
  [0, true],
  [Number.NaN, false],
] as const)('%p is an amount: %p', (typed, isAmount) => {
  expect(isTypedAmount(typed)).toBe(isAmount)
})
