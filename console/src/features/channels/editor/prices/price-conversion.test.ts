import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import {
  completionRatioOf,
  numberOf,
  outputPriceOf,
  priceOfRatio,
  priceText,
  ratioOfPrice,
  ratioText,
} from './price-conversion'

/** Prices as vendors quote them, with up to six decimal places. */
const price = fc.integer({ min: 1, max: 1_000_000_000 }).map((millionths) => millionths / 1e6)
const tokens = fc.integer({ min: 0, max: 2_000_000 })
const quotaPerDollar = 500_000

describe('conversion of prices and ratios', () => {
  test('the specification’s examples hold', () => {
    expect([ratioOfPrice(2), ratioOfPrice(2.5), ratioOfPrice(0.15)]).toEqual([1, 1.25, 0.075])
    expect([priceOfRatio(1.25), priceOfRatio(37.5)]).toEqual([2.5, 75])
    expect([completionRatioOf(1.25, 10), completionRatioOf(0.05, 0.3), completionRatioOf(1, 0)]).toEqual([4, 3, 0])
    expect(completionRatioOf(0, 3)).toBeUndefined()
  })

  test('a price survives being stored as ratios', () => {
    fc.assert(
      fc.property(price, price, (input, output) => {
        const ratio = ratioOfPrice(input)
        const completion = completionRatioOf(ratio, output) ?? Number.NaN
        // The completion ratio keeps twelve places, so the output price is as exact as the input price is large.
        expect(Math.abs(outputPriceOf(ratio, completion) - output)).toBeLessThanOrEqual(input * 1e-12 + 1e-8)
        expect(priceOfRatio(ratio)).toBe(input)
      }),
    )
  })

  test('a call costs what the prices say, within half a quota per million tokens', () => {
    fc.assert(
      fc.property(price, price, tokens, tokens, (input, output, prompt, completion) => {
        const ratio = ratioOfPrice(input)
        const factor = completionRatioOf(ratio, output) ?? Number.NaN
        const byRatios = ratio * (prompt + completion * factor)
        const byPrices = ((prompt * input + completion * output) / 1e6) * quotaPerDollar
        expect(Math.abs(byRatios - byPrices)).toBeLessThanOrEqual(0.5 + byPrices * 1e-12)
      }),
    )
  })

  test('the text in a field is read as the same number', () => {
    fc.assert(fc.property(price, (value) => expect(numberOf(priceText(value))).toBe(value)))
    fc.assert(fc.property(price, (value) => expect(numberOf(ratioText(value / 2))).toBe(ratioOfPrice(value))))
  })

  test('only plain decimals are numbers', () => {
    expect(['1', '0.5', '.5', '2.', ' 3 ', '0'].map(numberOf)).toEqual([1, 0.5, 0.5, 2, 3, 0])
    for (const text of ['', ' ', '.', '-1', '1e3', '1,5', '0x10', 'NaN', 'Infinity', '1000000001']) {
      expect([text, numberOf(text)]).toEqual([text, undefined])
    }
  })
})
