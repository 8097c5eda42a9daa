import { inPrices } from '@tollgate/contract/price-formula'
import type { PriceEntry } from '@tollgate/models'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { inDollars } from './list-price'

const yuan = (entry: PriceEntry, rate: number) => inPrices(inDollars({ currency: 'CNY', entry }, rate))
/** A decimal as people write it, of up to six places. */
const price = fc.integer({ min: 1, max: 1e9 }).map((digits) => Number(`${digits}e-6`))
const rate = fc.integer({ min: 1, max: 100_000 }).map((digits) => Number(`${digits}e-4`))

describe('a price in yuan', () => {
  test('a price in yuan that is a multiple of the rate is that multiple in dollars, to the last digit', () => {
    const whole = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 100_000 }), (times, digits) => {
        const [input, by] = [Number(`${times * digits}e-4`), Number(`${digits}e-4`)]
        expect(yuan({ prices: { input } }, by).prices.input).toBe(times)
      }),
    )
  })

  test('a price in yuan is converted to twelve digits without the noise of binary fractions', () => {
    fc.assert(
      fc.property(price, rate, (input, by) => {
        const { input: dollars = 0 } = yuan({ prices: { input } }, by).prices
        expect(
          String(dollars)
            .replace(/e.*$/, '')
            .replaceAll(/[.]|^0[.]?0*/g, '').length,
        ).toBeLessThanOrEqual(12)
        expect(Math.abs(dollars * by - input)).toBeLessThanOrEqual(input * 1e-11)
      }),
    )
  })

  test('the relation of a price in yuan to that of the input is the same at any rate', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 99 }), rate, (input, times, by) => {
        const output = Number(`${BigInt(Math.round(input * 1e6)) * BigInt(times)}e-6`)
        expect(inDollars({ currency: 'CNY', entry: { prices: { input, output } } }, by).ratios).toEqual({
          output: times,
        })
      }),
    )
  })

  test('a price in yuan is converted in tiers and modes too, and factors and hours stay', () => {
    const schedules = [{ name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.5 }]
    const entry: PriceEntry = {
      prices: { input: 0.8, output: 2 },
      tiers: [{ above: 32_000, prices: { input: 1.2 } }],
      modes: [
        { name: 'batch', match: { batch: 'true' }, prices: { input: 0.4 } },
        { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5, tiers: [{ above: 9, prices: { input: 4 } }] },
      ],
      schedules,
    }
    expect(yuan(entry, 8)).toEqual({
      prices: { input: 0.1, output: 0.25 },
      tiers: [{ above: 32_000, prices: { input: 0.15 } }],
      modes: [
        { name: 'batch', match: { batch: 'true' }, prices: { input: 0.05 } },
        { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5, tiers: [{ above: 9, prices: { input: 0.5 } }] },
      ],
      schedules,
    })
  })

  test('a price in dollars stays as it is at any rate', () => {
    const entry = { prices: { input: 0.07 } }
    expect(inDollars({ currency: 'USD', entry }, 3)).toBe(entry)
  })
})
