import { expect, test } from 'bun:test'

import { exactPriceText, priceText } from './prices'

test.each([
  [0, '$0.000'],
  [2.5, '$2.500'],
  [0.1875, '$0.1875'],
  [0.000123, '$0.000123'],
  [0.1 + 0.2, '$0.300'],
  [1234.5678, '$1,234.5678'],
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
