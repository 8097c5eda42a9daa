import { expect, test } from 'bun:test'

import { costOf } from './cost'
import { tokensText } from './tokens-text'

const prices = { kind: 'volume', input: 2, output: 8, cache: 0.5 } as const

test.each([
  [{ input: 1_000_000, output: 0, cached: 0 }, 2],
  [{ input: 1_000_000, output: 500_000, cached: 0 }, 6],
  [{ input: 1_000_000, output: 0, cached: 400_000 }, 1.4],
  // More cannot come from the cache than was sent.
  [{ input: 1_000_000, output: 0, cached: 9_000_000 }, 0.5],
  [{ input: 0, output: 0, cached: 0 }, 0],
])('a call of %j costs $%d', (tokens, dollars) => {
  expect(costOf(prices, tokens)).toBeCloseTo(dollars, 10)
})

test('a model billed by call costs the same however long the call is', () => {
  expect(costOf({ kind: 'call', call: 0.04 }, { input: 5, output: 1_000_000, cached: 0 })).toBe(0.04)
})

test('what has no price costs nothing that could be told', () => {
  expect(costOf(undefined, { input: 1, output: 1, cached: 0 })).toBeUndefined()
})

test.each([
  [512, '512'],
  [8191, '8K'],
  [131_072, '131K'],
  [999_499, '999K'],
  [999_500, '1M'],
  [1_048_576, '1M'],
  [1_500_000, '1.5M'],
])('a window of %d tokens is %s', (tokens, text) => {
  expect(tokensText(tokens)).toBe(text)
})
