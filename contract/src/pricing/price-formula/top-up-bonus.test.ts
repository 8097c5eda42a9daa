import { describe, expect, test } from 'bun:test'

import { bonusOf, bonusTierOf, percentOf, type BonusTier } from './top-up-bonus'

const aTier = (fields: Partial<BonusTier>): BonusTier => ({
  from: 1,
  quota: null,
  percent: null,
  is_once: false,
  ...fields,
})

test.each([
  [1000, 10, 100],
  [999, 10, 99],
  [5_000_000, 2.5, 125_000],
  [3, 33.333, 0],
  [300, 33.333, 99],
  [1e15, 100, 1e15],
  [9_007_199_254_740_991, 0.1, 9_007_199_254_740],
  [1000, 0, 0],
])('a share of %p in percent, here %p, is rounded down to %p', (quota, percent, share) =>
  expect(percentOf(quota, percent)).toBe(share),
)

describe('a tier of bonuses', () => {
  const first = aTier({ from: 10, percent: 100, is_once: true })
  const small = aTier({ from: 10, percent: 5 })
  const large = aTier({ from: 100, quota: 7 })

  test('counts where it has the largest amount that a top-up reaches', () => {
    expect(bonusTierOf(9, [small, large])).toBeUndefined()
    expect(bonusTierOf(10, [small, large])).toBe(small)
    expect(bonusTierOf(99, [small, large])).toBe(small)
    expect(bonusTierOf(100, [small, large])).toBe(large)
    expect(bonusTierOf(1e9, [large, small])).toBe(large)
  })

  test('counts before another of the same amount where users get it once', () => {
    expect(bonusTierOf(10, [first, small])).toBe(first)
    expect(bonusTierOf(10, [small, first])).toBe(first)
    expect(bonusTierOf(100, [first, small, large])).toBe(large)
  })

  test('adds its sum, or its share of what is credited', () => {
    expect(bonusOf(large, 5_000_000)).toBe(7)
    expect(bonusOf(small, 5_000_019)).toBe(250_000)
  })
})
