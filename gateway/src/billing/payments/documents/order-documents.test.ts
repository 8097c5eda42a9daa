import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { includedTax } from './order-documents'

test.each([
  [7300, 0, 0],
  [12_100, 21, 2100],
  [7300, 13, 840],
  [1, 100, 1],
  [1, 99, 0],
  [1000, 7.7, 71],
])('an amount of %p at %p %% includes %p', (minor, rate, tax) => {
  expect(includedTax(minor, rate)).toBe(tax)
})

test('the tax of an amount is the rate of its rest, to half of the smallest unit', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), fc.nat({ max: 10_000 }), (minor, hundredths) => {
      const tax = includedTax(minor, hundredths / 100)
      // tax / (minor - tax) = rate, so minor * rate - tax * (100 + rate) is at most half a unit of tax.
      const rest = BigInt(minor) * BigInt(hundredths) - BigInt(tax) * BigInt(10_000 + hundredths)
      expect(2n * (rest < 0n ? -rest : rest) <= BigInt(10_000 + hundredths)).toBe(true)
    }),
  )
})
