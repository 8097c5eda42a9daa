import { expect, test } from 'bun:test'

import { tokensText } from './prices'

test.each([
  [512, '512'],
  [8191, '8K'],
  [131_072, '131K'],
  [999_499, '999K'],
  [999_500, '1M'],
  [1_048_576, '1M'],
  [1_500_000, '1.5M'],
])('a context window of %d tokens is %s', (tokens, text) => {
  expect(tokensText(tokens)).toBe(text)
})
