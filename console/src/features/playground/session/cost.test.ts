import { expect, test } from 'bun:test'

import { aRow } from '../../../../test/pricing-factory'
import { estimatedDollars, tokensASecond } from './cost'

const usage = { promptTokens: 1000, completionTokens: 100, cachedTokens: 0, reasoningTokens: 0 }

test.each([
  ['as the specification reckons', { model_ratio: 1.25, completion_ratio: 4 }, usage, 1, 0.0035],
  ['the group multiplies', { model_ratio: 1.25, completion_ratio: 4 }, usage, 2, 0.007],
  ['a free group', { model_ratio: 1.25 }, usage, 0, 0],
  [
    'cached tokens have their own price',
    { model_ratio: 1, cache_ratio: 0.5 },
    { ...usage, cachedTokens: 400 },
    1,
    0.0018,
  ],
  ['not more is cached than was sent', { model_ratio: 1, cache_ratio: 0 }, { ...usage, cachedTokens: 9999 }, 1, 0.0002],
  ['a call', { quota_type: 1, model_price: 0.04, model_ratio: 9 }, usage, 1.5, 0.06],
] as const)('%s', (_, price, used, groupRatio, dollars) => {
  expect(estimatedDollars(used, aRow(price), groupRatio)).toBeCloseTo(dollars, 12)
})

test.each([
  [100, 500, 2500, 50],
  [100, undefined, 2000, 50],
  [100, 1999, 2000, 50],
  [0, 500, 2500, undefined],
  [100, 500, undefined, undefined],
] as const)('%p tokens, the first after %p of %p ms, are %p per second', (tokens, firstMs, tookMs, pace) => {
  expect(tokensASecond(tokens, firstMs, tookMs)).toBe(pace)
})
