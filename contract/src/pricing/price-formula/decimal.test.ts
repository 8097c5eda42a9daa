import { describe, expect, test } from 'bun:test'

import { decimal, digitsAt, numberOf, product, quotient, divideRounded, trimZeros } from './decimal'

describe('a decimal', () => {
  test.each<[number, bigint, number]>([
    [0, 0n, 0],
    [0.1, 1n, 1],
    [-0.25, -25n, 2],
    [1.5, 15n, 1],
    [500_000, 500_000n, 0],
    [1e-12, 1n, 12],
    [4e-13, 0n, 0],
    [6e-13, 1n, 12],
    [0.1 + 0.2, 3n, 1],
    [13_310.11877, 1_331_011_877n, 5],
    [1.5e20 + 0.5, 150_000_000_000_000_000_000n, 0],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n, 0],
  ])('the number %p is %p with %d places', (value, digits, places) => {
    expect(decimal(value)).toEqual({ digits, places })
  })

  test('a product is exact, and that of nothing is one', () => {
    expect(product(decimal(0.1), decimal(0.2), decimal(3))).toEqual({ digits: 6n, places: 2 })
    expect(product()).toEqual({ digits: 1n, places: 0 })
  })

  test('places without a digit are left out, whole zeros are kept', () => {
    expect(trimZeros({ digits: 1500n, places: 3 })).toEqual({ digits: 15n, places: 1 })
    expect(trimZeros({ digits: 1500n, places: 1 })).toEqual({ digits: 150n, places: 0 })
    expect(trimZeros({ digits: 0n, places: 4 })).toEqual({ digits: 0n, places: 0 })
  })

  test('a decimal is its nearest number, and has its digits at any number of places', () => {
    expect(numberOf({ digits: -125n, places: 2 })).toBe(-1.25)
    expect(numberOf({ digits: 3n, places: 20 })).toBe(3e-20)
    expect(digitsAt({ digits: 15n, places: 1 }, 1)).toBe(15n)
    expect(digitsAt({ digits: 15n, places: 1 }, 4)).toBe(15_000n)
  })
})

test.each<[bigint, bigint, bigint]>([
  [0n, 10n, 0n],
  [4n, 10n, 0n],
  [5n, 10n, 1n],
  [14n, 10n, 1n],
  [15n, 10n, 2n],
  [1n, 3n, 0n],
  [2n, 3n, 1n],
  [7n, 1n, 7n],
])('%p divided by %p is rounded to %p', (value, scale, whole) => expect(divideRounded(value, scale)).toBe(whole))

test('a quotient has no noise of binary fractions', () => {
  expect(1.2 / 0.4).not.toBe(3)
  expect([quotient(1.2, 0.4), quotient(0.3, 0.1), quotient(1, 3)]).toEqual([3, 3, 0.333333333333])
})
