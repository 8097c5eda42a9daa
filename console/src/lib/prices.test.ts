import { expect, test } from 'bun:test'
import type { pricingRoutes } from '@tollgate/contract'

import { aRow } from '../../test/pricing-factory'
import { pricesOf, priceText } from './prices'

type Row = pricingRoutes.PricingRow

const volume: Partial<Row> = { model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 }

test.each<[string, Partial<Row>, number, ReturnType<typeof pricesOf>]>([
  ['a ratio is two dollars a million', volume, 1, { kind: 'volume', input: 2.5, output: 10, cache: 1.25 }],
  ['the group multiplies everything', volume, 2, { kind: 'volume', input: 5, output: 20, cache: 2.5 }],
  ['a group may be free', volume, 0, { kind: 'volume', input: 0, output: 0, cache: 0 }],
  ['a free model', { ...volume, model_ratio: 0 }, 3, { kind: 'volume', input: 0, output: 0, cache: 0 }],
  ['a call', { quota_type: 1, model_price: 0.04 }, 1, { kind: 'call', call: 0.04 }],
  ['a call in a group', { quota_type: 1, model_price: 0.04 }, 0.5, { kind: 'call', call: 0.02 }],
  ['ratios of a call do not count', { ...volume, quota_type: 1, model_price: 1 }, 1, { kind: 'call', call: 1 }],
])('%s', (_, row, groupRatio, prices) => {
  expect(pricesOf(aRow(row), groupRatio)).toEqual(prices)
})

test.each([
  [0, '$0.000'],
  [2.5, '$2.500'],
  [0.0375, '$0.038'],
  [1234.5678, '$1,234.568'],
])('%p dollars are shown as %p', (dollars, text) => {
  expect(priceText(dollars)).toBe(text)
})
