import type { ClassPrices } from '@tollgate/models'
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { ratioOptions, ratioView, withRatio, type RatioOption, type RatioView } from './ratio-view'

const written = (view: RatioView, order: readonly RatioOption[] = ratioOptions, listInput?: number): ClassPrices =>
  order.reduce<ClassPrices>((prices, option) => withRatio(prices, option, view[option], listInput), {})

test('ratios are prices in dollars', () => {
  const view = { ModelRatio: 1.25, CompletionRatio: 4, CacheRatio: 0.5, AudioRatio: 16, AudioCompletionRatio: 2 }
  expect(written(view)).toEqual({ input: 2.5, output: 10, cache_read: 1.25, audio_in: 40, audio_out: 80 })
})

test('a changed model ratio keeps the other ratios', () => {
  const prices = withRatio({ input: 2, output: 8, reasoning: 10, web_search: 10 }, 'ModelRatio', 3)
  expect(prices).toEqual({ input: 6, output: 24, reasoning: 30, web_search: 10 })
})

test('a removed model ratio leaves the others ratios of the price on the list', () => {
  expect(withRatio({ input: 2, output: 8 }, 'ModelRatio', undefined, 5)).toEqual({ output: 20 })
})

test('a ratio alone is one of the price on the list', () => {
  const prices = withRatio({}, 'CompletionRatio', 3, 0.6)
  expect(prices).toEqual({ output: 1.8 })
  expect(ratioView(prices, 0.6)).toEqual({ CompletionRatio: 3 })
})

test('a free model loses its other ratios, and none of them becomes infinite', () => {
  const free = withRatio({ input: 2, output: 8 }, 'ModelRatio', 0)
  expect(free).toEqual({ input: 0 })
  expect(ratioView(free)).toEqual({ ModelRatio: 0 })
  expect(withRatio({ input: 0, output: 3 }, 'ModelRatio', 1)).toEqual({ input: 2 })
})

test('a changed ratio for cache writes of five minutes changes those of an hour alike', () => {
  const prices = { input: 2, cache_write_5m: 2.5, cache_write_1h: 4 }
  expect(withRatio(prices, 'CreateCacheRatio', 2)).toEqual({ input: 2, cache_write_5m: 4, cache_write_1h: 6.4 })
})

test('what was written in any order is read back', () => {
  const ratio = fc.integer({ min: 1, max: 100_000 }).map((value) => value / 1000)
  const view = fc.record(Object.fromEntries(ratioOptions.map((option) => [option, ratio])), { requiredKeys: [] })
  const order = fc.shuffledSubarray([...ratioOptions], { minLength: ratioOptions.length })
  fc.assert(
    fc.property(view, order, order, fc.option(ratio, { nil: undefined }), (some, first, second, listInput) => {
      const prices = written(some, first, listInput)
      const read = ratioView(prices, listInput)
      for (const option of ratioOptions) expect(read[option] ?? -1).toBeCloseTo(some[option] ?? -1, 8)
      const other = written(some, second, listInput)
      expect(Object.keys(other).sort()).toEqual(Object.keys(prices).sort())
    }),
  )
})
