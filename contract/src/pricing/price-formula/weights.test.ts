import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { priceClasses } from '../price-classes'
import type { ClassPrices } from '../price-entry'
import { classPrice, entryPrices, exact, fullPrices, inPrices, isChargeable, isPriced, tierOf } from './class-prices'
import { costLines } from './cost-lines'
import { numberOf } from './decimal'
import { quotaOf, weightsOf, type Amounts } from './weights'

const noAmounts = Object.fromEntries(priceClasses.map((name) => [name, 0])) as Amounts
const weightsFor = (prices: ClassPrices, { quotaPerUnit = 500_000, factors = [1] } = {}) =>
  weightsOf(fullPrices(exact(prices)), { quotaPerUnit, factors })
const costOf = (prices: ClassPrices, amounts: Partial<Amounts>, rate = {}) =>
  quotaOf(weightsFor(prices, rate), { ...noAmounts, ...amounts })

describe('a class without a price', () => {
  test.each([
    ['output', { input: 2 }, 2],
    ['cache_read', { input: 2 }, 2],
    ['cache_read_audio', { input: 2, cache_read: 0.5 }, 0.5],
    ['cache_write_5m', { input: 2 }, 2.5],
    ['cache_write_1h', { input: 2 }, 4],
    ['cache_write_1h', { input: 2, cache_write_5m: 3 }, 4.8],
    ['image_in', { input: 2 }, 2],
    ['image_out', { input: 2, output: 8 }, 8],
    ['audio_in', { input: 2 }, 2],
    ['audio_out', { input: 2, audio_in: 10 }, 10],
    ['reasoning', { input: 2, output: 8 }, 8],
    ['input', { output: 8 }, 0],
    ['per_second', { input: 2 }, 0],
    ['web_search', { input: 2 }, 0],
    ['output', { input: 2, per_call: 1 }, 0],
    ['web_search', { web_search: 10, per_call: 1 }, 10],
  ] as const)('%s with the prices %j costs %d', (name, prices, price) => {
    const found = classPrice(exact(prices), name)
    expect(found ? numberOf(found) : 0).toBe(price)
  })

  test('a ratio multiplies the price of input, that of spoken answers the price of what was heard', () => {
    const entry = { prices: { input: 2, audio_in: 10 }, ratios: { output: 4, audio_out: 2, image_in: 0.5 } }
    expect(inPrices(entry)).toEqual({ prices: { input: 2, audio_in: 10, output: 8, audio_out: 20, image_in: 1 } })
    expect(inPrices({ prices: { per_call: 1 }, ratios: { output: 4 } })).toEqual({ prices: { per_call: 1 } })
    const basePrices = entryPrices({ prices: { input: 2, output: 3 }, ratios: { output: 4 } })
    expect(basePrices.output && numberOf(basePrices.output)).toBe(3)
  })

  test('an entry is chargeable by any price of a call; a price per second alone is for recordings', () => {
    const entries: ClassPrices[] = [{ input: 0 }, { per_call: 1 }, { per_image: 1 }, { per_character: 1 }]
    for (const prices of entries) expect([isPriced(prices), isChargeable(prices)]).toEqual([true, true])
    expect([isPriced({ per_second: 1 }), isChargeable({ per_second: 1 })]).toEqual([true, false])
    expect([isPriced({ output: 1 }), isChargeable({ output: 1, web_search: 1 })]).toEqual([false, false])
  })
})

describe('the quota of a call', () => {
  test.each<[string, ClassPrices, Partial<Amounts>, object, number]>([
    ['two dollars for a million tokens are one quota a token', { input: 2 }, { input: 1000 }, {}, 1000],
    ['tokens cost the same however many quota a dollar has', { input: 2 }, { input: 1000 }, { quotaPerUnit: 7 }, 1000],
    ['calls follow the quota of a dollar', { per_call: 0.5 }, { per_call: 1 }, { quotaPerUnit: 1000 }, 500],
    ['images cost by the piece', { per_image: 0.04 }, { per_image: 3 }, {}, 60_000],
    ['seconds may be fractions', { per_second: 0.01 }, { per_second: 1.5 }, {}, 7500],
    ['characters cost by the million', { per_character: 15 }, { per_character: 1000 }, {}, 7500],
    ['tools cost by the thousand', { web_search: 10 }, { web_search: 3 }, {}, 15_000],
    ['halves are rounded up', { input: 1 }, { input: 3 }, {}, 2],
    ['less than a half is rounded down, not to nothing', { input: 0.2 }, { input: 1 }, {}, 1],
    ['a call of nothing costs one where tokens cost anything', { input: 2 }, {}, {}, 1],
    ['a call of nothing is free where tokens are', { per_image: 1 }, {}, {}, 0],
    ['factors multiply', { input: 2 }, { input: 1000 }, { factors: [0.5, 3] }, 1500],
    ['a factor of zero makes everything free', { input: 2 }, { input: 1000 }, { factors: [0] }, 0],
    ['no more than a number can hold', { per_call: 1e12 }, { per_call: 1 }, {}, Number.MAX_SAFE_INTEGER],
  ])('%s', (_name, prices, amounts, rate, quota) => expect(costOf(prices, amounts, rate)).toBe(quota))

  test('a price is free where nothing except tools costs anything', () => {
    expect(weightsFor({ web_search: 10 }).isFree).toBe(true)
    expect(weightsFor({ input: 0 }).isFree).toBe(true)
    expect(weightsFor({ input: 0, per_image: 0.1 }).isFree).toBe(false)
    expect(weightsFor({ output: 0.000001 }).isFree).toBe(false)
  })
})

test('the highest tier that the input exceeds applies, in whatever order they stand', () => {
  const tiers = [
    { above: 200, prices: { input: 3 } },
    { above: 100, prices: { input: 2 } },
  ]
  expect([0, 100, 101, 200, 201].map((tokens) => tierOf(tiers, tokens)?.above ?? null)).toEqual([
    null,
    null,
    100,
    100,
    200,
  ])
  expect(tierOf(undefined, 5)).toBeNull()
})

test('a cost has a line for each class that was used and has a price, with every factor', () => {
  const basePrices = exact({ input: 2, output: 8, web_search: 10 })
  expect(costLines(basePrices, { input: 1_000_000, output: 0, web_search: 500, per_image: 3 }, [0.5, 2])).toEqual([
    { class: 'input', amount: 1_000_000, price: 2, dollars: 2 },
    { class: 'web_search', amount: 500, price: 10, dollars: 5 },
  ])
  expect(costLines(exact({ per_call: 0.2, input: 2 }), { input: 5 }, [0.5])).toEqual([
    { class: 'per_call', amount: 1, price: 0.1, dollars: 0.1 },
  ])
})

test('the quota of whole amounts is the exact sum, rounded once, however large it is', () => {
  const price = fc.oneof(fc.constantFrom(0, 1e-9, 0.1, 0.15, 2.5, 1e6), fc.double({ min: 0, max: 1e9, noNaN: true }))
  const amount = fc.oneof(fc.nat(10), fc.nat(10_000_000), fc.nat(Number.MAX_SAFE_INTEGER))
  fc.assert(
    fc.property(
      price,
      price,
      amount,
      amount,
      fc.constantFrom(1, 0.5, 1.7, 1e-6, 1000),
      (one, other, first, second, factor) => {
        const weights = weightsFor({ input: one, output: other }, { factors: [factor] })
        const sum = weights.exact.input * BigInt(first) + weights.exact.output * BigInt(second)
        const rounded = Number((2n * sum + weights.scale) / (2n * weights.scale))
        const expected = Math.min(Number.MAX_SAFE_INTEGER, Math.max(rounded, weights.hasMinimum ? 1 : 0))
        expect(quotaOf(weights, { ...noAmounts, input: first, output: second })).toBe(expected)
      },
    ),
    { numRuns: 2000 },
  )
})
