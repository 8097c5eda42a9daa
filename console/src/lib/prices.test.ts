import { expect, test } from 'bun:test'

import { exactPriceText, priceText } from './prices'

test.each([
  [0, '$0.000'],
  [2.5, '$2.500'],
  [0.0375, '$0.038'],
  [0.000123, '$0.00012'],
  [1234.5678, '$1,234.568'],
])('%p dollars are shown as %p', (dollars, text) => {
  expect(priceText(dollars)).toBe(text)
})

test.each([
  [0, '$0.00'],
  [2.5, '$2.50'],
  [0.0028, '$0.0028'],
  [0.1 + 0.2, '$0.30'],
])('%p dollars with all digits are %p', (dollars, text) => {
  expect(exactPriceText(dollars)).toBe(text)
})
