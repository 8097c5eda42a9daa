import type { PriceEntry } from '@tollgate/models'
import { expect, test } from 'bun:test'

import { overlay } from './overlay'

const list: PriceEntry = {
  prices: { input: 5, output: 30, cache_read: 0.5, web_search: 10 },
  tiers: [{ above: 272_000, prices: { input: 10, output: 45 } }],
  modes: [
    { name: 'priority', match: { service_tier: 'priority' }, prices: { input: 12.5, output: 75 } },
    { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 },
  ],
  schedules: [{ name: 'night', zone: 'UTC', days: [1], from: '16:30', to: '00:30', factor: 0.5 }],
}

test('an own price of input raises everything of the list in proportion, except for tools', () => {
  const entry = overlay({ prices: { input: 6 } }, list)
  expect(entry.prices).toEqual({ input: 6, web_search: 10 })
  expect(entry.ratios).toEqual({ output: 6, cache_read: 0.1 })
  expect(entry.tiers).toEqual([{ above: 272_000, prices: { input: 12, output: 54 } }])
  expect(entry.modes?.[0]?.prices).toEqual({ input: 15, output: 90 })
  expect(entry.modes?.[1]).toEqual({ name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 })
  expect(entry.schedules).toEqual(list.schedules)
})

test('the prices of an own entry are taken as they are', () => {
  const entry = overlay({ prices: { input: 6, output: 31 }, tiers: [], modes: [] }, list)
  expect(entry).toEqual({
    prices: { input: 6, output: 31, web_search: 10 },
    ratios: { cache_read: 0.1 },
    tiers: [],
    modes: [],
    schedules: list.schedules,
  })
})

test('an own price of one class leaves the list’s price of input', () => {
  expect(overlay({ prices: { output: 40 } }, list).prices).toEqual({ ...list.prices, output: 40 })
})

test('a free list price is not scaled by an own one', () => {
  const free: PriceEntry = { prices: { input: 0, output: 0, web_search: 10 } }
  expect(overlay({ prices: { input: 6 } }, free).prices).toEqual({ input: 6, web_search: 10 })
})

test('an own price by tokens replaces a price by call entirely, and the reverse, except for tools', () => {
  expect(overlay({ prices: { input: 6 } }, { prices: { per_call: 0.1, web_search: 10 } }).prices).toEqual({
    input: 6,
    web_search: 10,
  })
  const byCall = overlay({ prices: { per_call: 0.1 } }, list)
  expect(byCall.prices).toEqual({ per_call: 0.1, web_search: 10 })
  expect(byCall.tiers?.[0]?.prices).toEqual({})
  expect(byCall.modes?.[1]?.factor).toBe(0.5)
})
