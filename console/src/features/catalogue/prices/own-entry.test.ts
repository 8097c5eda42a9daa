import { describe, expect, test } from 'bun:test'
import type { PriceEntry } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { differenceOf, minimalEntry, isEmptyEntry, withPrice } from './own-entry'

const list: PriceEntry = {
  prices: { input: 2, output: 8, cache_read: 0.5 },
  tiers: [{ above: 1000, prices: { input: 4 } }],
}

describe('an operator’s entry with a changed price', () => {
  test('a changed price keeps the rest of the entry', () => {
    const own: PriceEntry = { prices: { output: 9 }, tiers: list.tiers }
    expect(withPrice(own, 'input', 3)).toEqual({ prices: { output: 9, input: 3 }, tiers: list.tiers })
    expect(withPrice(null, 'input', 3)).toEqual({ prices: { input: 3 } })
  })

  test('a changed price replaces a ratio', () => {
    const own: PriceEntry = { prices: { input: 2 }, ratios: { output: 4, cache_read: 0.1 } }
    expect(withPrice(own, 'output', 9)).toEqual({ prices: { input: 2, output: 9 }, ratios: { cache_read: 0.1 } })
  })

  test('an entry without its last price is empty', () => {
    const rest = withPrice({ prices: { input: 3 } }, 'input', null)
    expect(isEmptyEntry(rest)).toBe(true)
    expect(isEmptyEntry({ prices: {}, tiers: [] })).toBe(false)
  })
})

describe('the shortest operator’s entry', () => {
  test('an entry equal to the list is not stored, whatever its order', () => {
    expect(minimalEntry({ tiers: list.tiers, prices: { cache_read: 0.5, output: 8, input: 2 } }, list)).toBeNull()
  })

  test('prices equal to the list are left out as long as the input price is the same', () => {
    expect(minimalEntry({ ...list, prices: { ...list.prices, output: 9 } }, list)).toEqual({ prices: { output: 9 } })
    expect(minimalEntry({ prices: list.prices }, list)).toEqual({ prices: {}, tiers: [] })
  })

  test('all prices are stored where another input price would shift the rest', () => {
    const sale = { ...list, prices: { ...list.prices, input: 3 } }
    expect(minimalEntry(sale, list)).toEqual(sale)
  })

  test('all prices are stored where a class of the list is missing, or the billing differs', () => {
    const sale: PriceEntry = { prices: { input: 2, output: 8 } }
    expect(minimalEntry(sale, list)).toEqual(sale)
    expect(minimalEntry({ prices: { per_call: 1 } }, list)).toEqual({ prices: { per_call: 1 } })
    expect(minimalEntry(sale, null)).toEqual(sale)
  })
})

test('ratios become prices: of the input, or of audio input for audio output', () => {
  expect(
    inPrices({ prices: { input: 2, audio_in: 10 }, ratios: { output: 4, audio_out: 2, cache_read: 0.1 } }),
  ).toEqual({
    prices: { input: 2, audio_in: 10, output: 8, audio_out: 20, cache_read: 0.2 },
  })
  expect(inPrices({ prices: { input: 2, output: 5 }, ratios: { output: 4 } }).prices.output).toBe(5)
})

test.each([
  [3, 2.5, 0.2],
  [2, 4, -0.5],
  [1, 0, undefined],
  [null, 1, undefined],
  [1, null, undefined],
])('%p against a list price of %p differs by %p', (mix, listMix, share) => {
  const difference = differenceOf(mix, listMix)
  if (share === undefined) expect(difference).toBeUndefined()
  else expect(difference).toBeCloseTo(share, 10)
})
