import { expect, test } from 'bun:test'
import type { PriceEntry } from '@tollgate/contract'

import { billingOf } from '../../../lib/text/price-entry/billing'
import { callCost, usualCall } from './offers'

const dollars = (entry: PriceEntry, call = {}, factor: number | undefined = 1) =>
  callCost({ entry, kind: billingOf(entry), factor }, { ...usualCall, ...call })?.dollars

const volume: PriceEntry = { prices: { input: 2, output: 8, cache_read: 0.5 } }

test.each([
  [{ input: 1_000_000, output: 0, cached: 0 }, 2],
  [{ input: 1_000_000, output: 500_000, cached: 0 }, 6],
  [{ input: 1_000_000, output: 0, cached: 400_000 }, 1.4],
  // Cached tokens cannot exceed the input.
  [{ input: 1_000_000, output: 0, cached: 9_000_000 }, 0.5],
  [{ input: 0, output: 0, cached: 0 }, 0],
])('a call of %j costs $%d', (call, cost) => {
  expect(dollars(volume, call)).toBeCloseTo(cost, 10)
})

test('the group multiplies the cost, and a model it does not have has no cost', () => {
  expect(dollars(volume, { input: 1_000_000, output: 0 }, 3)).toBeCloseTo(6, 10)
  expect(callCost({ entry: volume, kind: 'volume', factor: undefined }, usualCall)).toBeUndefined()
})

test('a model billed by call costs the same whatever the length', () => {
  expect(dollars({ prices: { per_call: 0.04 } }, { output: 1_000_000 })).toBe(0.04)
})

test('one image is compared; seconds and characters are not', () => {
  expect(dollars({ prices: { per_image: 0.03 } })).toBe(0.03)
  expect(dollars({ prices: { per_second: 0.03 } })).toBeUndefined()
  expect(dollars({ prices: { per_character: 15 } })).toBeUndefined()
})
