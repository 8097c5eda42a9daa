import { describe, expect, test } from 'bun:test'
import type { PriceEntry } from '@tollgate/contract'
import { scheduleAt } from '@tollgate/contract/price-formula'

import { billingOf, hoursOf, listedClasses, pricedClasses } from './billing'
import { costOf } from './cost'
import { listedPrice, tierBounds } from './variant'

const tiered: PriceEntry = {
  prices: { input: 2, output: 8, cache_read: 0.2 },
  tiers: [
    { above: 200_000, prices: { input: 4, output: 12 } },
    { above: 100_000, prices: { input: 3 } },
  ],
  modes: [
    { name: 'batch', match: { batch: 'true' }, factor: 0.5 },
    {
      name: 'flex',
      match: { service_tier: 'flex' },
      prices: { input: 1, output: 4 },
      tiers: [{ above: 200_000, prices: { input: 2 } }],
    },
  ],
}

const cost = (entry: PriceEntry, amounts: object, more = {}) => costOf(entry, amounts, more).dollars

describe('the cost of a call', () => {
  test.each([
    ['below all tiers', { input: 100_000, output: 1000 }, 0.208],
    ['above the first, all of it at the price of that tier', { input: 100_001 }, 0.300003],
    ['above the highest', { input: 1_000_000, output: 1_000_000 }, 16],
    ['a class that a tier leaves out keeps its price', { input: 200_001, cache_read: 1_000_000 }, 1.000004],
    ['cached tokens count as input', { input: 1, cache_read: 200_000 }, 0.040004],
  ])('%s', (_, amounts, dollars) => {
    expect(cost(tiered, amounts)).toBeCloseTo(dollars, 9)
  })

  test.each([
    ['a factor', 'batch', { input: 1_000_000 }, 2],
    ['prices of its own', 'flex', { input: 100_000, output: 100_000 }, 0.5],
    ['its own tier over the entry’s', 'flex', { input: 1_000_000 }, 2],
    ['none for a model without it', 'priority', { input: 100_000 }, 0.2],
  ])('a mode has %s', (_, mode, amounts, dollars) => {
    expect(cost(tiered, amounts, { mode })).toBeCloseTo(dollars, 9)
  })

  test('missing classes follow from others', () => {
    const entry = { prices: { input: 4, output: 10, audio_in: 40 } }
    const amounts = { cache_write_5m: 1e6, cache_write_1h: 1e6, image_out: 1e6, reasoning: 1e6, audio_out: 1e6 }
    const { lines } = costOf(entry, amounts)
    expect(Object.fromEntries(lines.map((line) => [line.class, line.dollars]))).toEqual({
      cache_write_5m: 5,
      cache_write_1h: 8,
      image_out: 10,
      reasoning: 10,
      audio_out: 40,
    })
  })

  test('a price per call replaces everything but tools', () => {
    const entry = { prices: { per_call: 0.05, input: 3, web_search: 10 } }
    expect(cost(entry, { input: 1e6, web_search: 2 })).toBeCloseTo(0.07, 9)
  })

  test('schedules apply by the start of a call in their time zone', () => {
    const night = { name: 'night', zone: 'Asia/Shanghai', days: [1], from: '23:00', to: '01:00', factor: 0.5 }
    const entry = { prices: { input: 2 }, schedules: [night] }
    const at = (time: string) => cost(entry, { input: 1e6 }, { at: Date.parse(`${time}+08:00`) })
    expect(at('2026-11-23T22:59')).toBe(2)
    expect(at('2026-11-23T23:00')).toBe(1)
    expect(at('2026-11-24T00:59')).toBe(1)
    expect(at('2026-11-24T01:00')).toBe(2)
    expect(cost(entry, { input: 1e6 })).toBe(2)
  })
})

test('an entry is billed by its price per call, or else by tokens, or else by a unit', () => {
  const kinds = [{ per_call: 1, input: 1 }, { input: 1, per_image: 1 }, { per_image: 1 }, { per_second: 1 }]
  expect(kinds.map((prices) => billingOf({ prices }))).toEqual(['call', 'volume', 'image', 'second'])
})

test('classes include those of all tiers and modes, and lengths those of modes', () => {
  const entry: PriceEntry = {
    prices: { input: 1 },
    tiers: [{ above: 9, prices: { audio_in: 1 } }],
    modes: [{ name: 'fast', match: { speed: 'fast' }, tiers: [{ above: 5, prices: { output: 2 } }] }],
  }
  expect(pricedClasses(entry)).toEqual(['input', 'output', 'audio_in'])
  expect(tierBounds(entry, entry.modes?.[0])).toEqual([5, 9])
})

test('a list shows what writing to a cache costs where it shows what reading from it does', () => {
  expect(listedPrice({ input: 2, cache_read: 1 }, 'cache_write_5m')).toBe(2.5)
  expect(listedPrice({ input: 2, cache_read: 1, cache_write_5m: 3 }, 'cache_write_1h')).toBe(4.8)
  expect(listedPrice({ input: 2 }, 'cache_write_5m')).toBeUndefined()
  expect(listedPrice({ input: 2, cache_read: 1 }, 'audio_in')).toBeUndefined()
  expect(listedPrice({ per_call: 1, input: 2, cache_read: 1 }, 'cache_write_5m')).toBeUndefined()
  expect(listedClasses({ prices: { input: 2, cache_read: 1 } })).toEqual([
    'input',
    'cache_read',
    'cache_write_5m',
    'cache_write_1h',
  ])
})

test('hours of one name and factor are grouped, and the first that applies counts', () => {
  const hours = (name: string, days: number[], factor: number) => ({
    name,
    zone: 'UTC',
    days,
    from: '00:00',
    to: '00:00',
    factor,
  })
  const schedules = [hours('off-peak', [6], 0.5), hours('off-peak', [7], 0.5), hours('peak', [7], 2)]
  expect(hoursOf(schedules).map(({ name, spans }) => [name, spans.length])).toEqual([
    ['off-peak', 2],
    ['peak', 1],
  ])
  expect(scheduleAt(schedules, Date.parse('2026-11-22T12:00Z'))?.factor).toBe(0.5)
  expect(scheduleAt(schedules, Date.parse('2026-11-23T12:00Z'))).toBeNull()
})
