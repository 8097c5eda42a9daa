import type { PriceEntry } from '@tollgate/models'
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { ratioOptions, ratioView, withRatio, type RatioOption, type RatioView } from './ratio-view'

const emptyEntry: PriceEntry = { prices: {} }
const applyRatios = (view: RatioView, order: readonly RatioOption[] = ratioOptions, listInput?: number): PriceEntry =>
  order.reduce<PriceEntry>(
    (entry, option) => withRatio(entry, option, view[option], listInput) ?? emptyEntry,
    emptyEntry,
  )

test('ratios stay ratios of a price in dollars', () => {
  const view = { ModelRatio: 1.25, CompletionRatio: 4, CacheRatio: 0.5, AudioRatio: 16, AudioCompletionRatio: 2 }
  expect(applyRatios(view)).toEqual({
    prices: { input: 2.5 },
    ratios: { output: 4, cache_read: 0.5, audio_in: 16, audio_out: 2 },
  })
})

test('a changed model ratio keeps the other ratios, also of classes that are set as prices', () => {
  const prices = { input: 2, output: 8, reasoning: 10, web_search: 10 }
  expect(withRatio({ prices, tiers: [] }, 'ModelRatio', 3)).toEqual({
    prices: { input: 6, web_search: 10 },
    ratios: { output: 4, reasoning: 5 },
    tiers: [],
  })
})

test('prices in dollars are read as ratios of the list price where the entry has no input price', () => {
  expect(ratioView({ prices: { output: 1.8 } }, 0.6)).toEqual({ CompletionRatio: 3 })
  expect(ratioView({ prices: { output: 1.8 } })).toEqual({})
})

test('a free model has no ratio of classes with a price', () => {
  expect(ratioView({ prices: { input: 0, output: 3 } })).toEqual({ ModelRatio: 0 })
})

test('a changed ratio for cache writes of five minutes also changes those of an hour', () => {
  const entry = { prices: { input: 2, cache_write_5m: 2.5, cache_write_1h: 6 } }
  expect(withRatio(entry, 'CreateCacheRatio', 2)).toEqual({ prices: { input: 2 }, ratios: { cache_write_5m: 2 } })
})

test('an entry that becomes empty is removed', () => {
  expect(withRatio({ prices: { input: 2 }, tiers: [], modes: [] }, 'ModelRatio', undefined)).toBeNull()
  const modes = [{ name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 }]
  expect(withRatio({ prices: { input: 2 }, modes }, 'ModelRatio', undefined)).toEqual({ prices: {}, modes })
})

test('ratios written in any order are read back to the digit', () => {
  const ratio = fc.integer({ min: 1, max: 100_000 }).map((value) => value / 1000)
  const view = fc.record(Object.fromEntries(ratioOptions.map((option) => [option, ratio])), { requiredKeys: [] })
  const order = fc.shuffledSubarray([...ratioOptions], { minLength: ratioOptions.length })
  fc.assert(
    fc.property(view, order, fc.option(ratio, { nil: undefined }), (some, inOrder, listInput) => {
      expect(ratioView(applyRatios(some, inOrder, listInput), listInput)).toEqual(some)
    }),
  )
})
