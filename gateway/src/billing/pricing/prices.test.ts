import { numberOf } from '@tollgate/contract/price-formula'
import { describe, expect, test } from 'bun:test'

import { pricesWith } from '../../../test/prices'
import type { Price } from './price'
import { PriceBook } from './price-book'
import { wirePrice, type Ratios } from './price-view'
import { standardMode } from './variant'

const tableOf = pricesWith
type Options = Parameters<typeof pricesWith>[0]
const group = { group: 'default', userGroup: 'default' }
const priceOf = (model: string, options: Options = {}) => tableOf(options).priceOf(model, group)

function wireOf(price: Price | null) {
  if (!price) throw new Error('Not priced')
  return wirePrice(price.entry)
}

function ratiosOf(price: Price | null): Ratios {
  const wire = wireOf(price)
  if (wire.kind !== 'per-token') throw new Error('Not priced by tokens')
  return wire.ratios
}

/** US dollars for a thousand calls. */
function toolsOf(price: Price | null) {
  if (!price) throw new Error('Not priced')
  const { web_search, file_search } = price.variantFor({ inputTokens: 1, served: standardMode, schedule: null }).prices
  return { webSearch: numberOf(web_search), fileSearch: numberOf(file_search) }
}

describe('built-in prices', () => {
  test.each([
    ['gpt-4o', 1.25, 4],
    ['gpt-4o-2024-05-13', 2.5, 3],
    ['gpt-4o-mini', 0.075, 4],
    ['chatgpt-4o-latest', 2.5, 3],
    ['gpt-4', 15, 2],
    ['gpt-4-turbo', 5, 3],
    ['gpt-4-1106-preview', 5, 3],
    ['gpt-4.1', 1, 4],
    ['gpt-4.1-nano', 0.05, 4],
    ['gpt-4.5-preview', 37.5, 2],
    ['gpt-5-mini', 0.125, 8],
    ['gpt-5.1-high', 0.625, 8],
    ['grok-4-0709', 1.5, 5],
    ['o1', 7.5, 4],
    ['o3-mini-high', 0.55, 4],
    ['o4-mini', 0.55, 4],
    ['gpt-3.5-turbo', 0.25, 3],
    ['gpt-3.5-turbo-1106', 0.5, 2],
    ['gpt-3.5-turbo-16k', 1.5, 1.33333333333],
    ['gpt-4-all', 15, 2],
    ['gpt-image-1', 2.5, 8],
    ['claude-sonnet-4-5-thinking', 1.5, 5],
    ['claude-2.1', 4, 3],
    ['gemini-2.5-pro', 0.625, 8],
    ['gemini-2.5-flash', 0.15, 8.33333333333],
    ['gemini-3-flash-preview', 0.25, 6],
    ['gemini-3.1-pro-preview', 1, 6],
    ['gpt-5.4-nano', 0.1, 6.25],
    ['mistral-medium-latest', 0.75, 5],
    ['mistral-small-latest', 0.075, 4],
    ['gemini-1.5-flash', 0.075, 4],
    ['command-r-plus', 1.25, 4],
    ['deepseek-chat', 0.07, 2],
    ['deepseek-reasoner', 0.07, 2],
    ['qwen-plus', 0.2, 3],
    ['qwen-turbo', 0.025, 4],
    ['claude-opus-5-5', 2, 5],
    ['kimi-k2.6', 0.475, 4.21052631579],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 1.5, 5],
    ['llama3.3', 0, 1],
    ['grok-3', 1.5, 5],
    ['ERNIE-4.0-8K', 2.11267605634, 3],
    ['ERNIE-Bot-4', 8.572, 1],
    ['glm-4-flash', 0, 1],
    ['text-embedding-3-small', 0.01, 1],
    ['omni-moderation-latest', 0.1, 1],
    ['tts-1', 7.5, 1],
  ])('%s: model %d, completion %d', (model, ratio, completion) => {
    expect(ratiosOf(priceOf(model))).toMatchObject({ model: ratio, completion })
  })

  test.each([
    ['gpt-4o', { cacheRead: 0.5, cacheWrite: 1.25, cacheWriteHour: 2, image: 1, audio: 1, audioCompletion: 1 }],
    ['gpt-4.1', { cacheRead: 0.25 }],
    ['gpt-5', { cacheRead: 0.1 }],
    ['claude-sonnet-4-5', { cacheRead: 0.1, cacheWrite: 1.25 }],
    ['text-embedding-3-small', { cacheRead: 1 }],
    ['deepseek-chat', { cacheRead: 0.02 }],
    ['glm-4.6', { cacheWrite: 0, cacheWriteHour: 0 }],
    ['MiniMax-M2.7-highspeed', { cacheWrite: 0.625 }],
    ['gemini-2.5-flash-image', { completion: 100 }],
    ['gemini-2.5-flash-preview-tts', { completion: 20 }],
    ['gpt-image-1', { image: 2 }],
    ['gpt-4o-audio-preview', { audio: 16, audioCompletion: 2 }],
    ['gpt-4o-realtime-preview', { audio: 8, audioCompletion: 2 }],
    ['gpt-4o-realtime-preview-2024-12-17', { audio: 8, audioCompletion: 2 }],
  ])('%s: %j', (model, ratios) => {
    expect(ratiosOf(priceOf(model))).toMatchObject(ratios)
  })

  test('the built-in price of one call', () => {
    expect(wireOf(priceOf('dall-e-3'))).toMatchObject({ kind: 'per-call', usd: 0.04 })
    expect(wireOf(priceOf('rerank-v3.5'))).toMatchObject({ kind: 'per-call', usd: 0.002 })
    expect(wireOf(priceOf('gpt-4-gizmo-abc'))).toMatchObject({ kind: 'per-call', usd: 0.1 })
    expect(ratiosOf(priceOf('gpt-4o-gizmo-abc'))).toMatchObject({ model: 2.5, completion: 3 })
  })
})

describe('the operator’s prices', () => {
  test('the operator’s prices take precedence over built-in ones, each table for itself', () => {
    const ratios = ratiosOf(
      priceOf('gpt-4o', { ModelRatio: { 'gpt-4o': 7 }, CompletionRatio: { 'gpt-4o': 1 }, CacheRatio: { 'gpt-4o': 0 } }),
    )
    expect(ratios).toMatchObject({ model: 7, completion: 1, cacheRead: 0, image: 1 })
    const others = {
      CreateCacheRatio: { x: 2 },
      ImageRatio: { x: 3 },
      AudioRatio: { x: 4 },
      AudioCompletionRatio: { x: 5 },
    }
    expect(ratiosOf(priceOf('x', { ModelRatio: { x: 1 }, ...others }))).toMatchObject({
      cacheWrite: 2,
      cacheWriteHour: 3.2,
      image: 3,
      audio: 4,
      audioCompletion: 5,
    })
  })

  test('a price of the call beats ratios, even a free one', () => {
    const set = { ModelRatio: { x: 5 }, ModelPrice: { x: 0 } }
    expect(wireOf(priceOf('x', set))).toMatchObject({ kind: 'per-call', usd: 0 })
    expect(wireOf(priceOf('gpt-4o', { ModelPrice: { 'gpt-4o': 0.5 } }))).toMatchObject({ kind: 'per-call', usd: 0.5 })
  })

  test('the input price of an unlisted model leaves the other classes to its closest relative', () => {
    expect(ratiosOf(priceOf('gemini-3-flash', { ModelRatio: { 'gemini-3-flash': 0.25 } }))).toMatchObject({
      completion: 6,
      cacheRead: 0.1,
    })
    expect(ratiosOf(priceOf('claude-opus-4-9', { ModelRatio: { 'claude-opus-4-9': 3 } }))).toMatchObject({
      completion: 5,
    })
  })

  test('the operator’s ratio beats a built-in price of the call', () => {
    expect(ratiosOf(priceOf('dall-e-3', { ModelRatio: { 'dall-e-3': 9 } }))).toMatchObject({ model: 9 })
  })

  test('the requested name comes first, the upstream’s is the fallback for every table', () => {
    const table = tableOf({ CompletionRatio: { alias: 2 }, CacheRatio: { 'gpt-4o': 0.3 } })
    const price = table.priceOf('alias', { ...group, upstreamModel: 'gpt-4o' })
    expect(ratiosOf(price)).toMatchObject({ model: 1.25, completion: 2, cacheRead: 0.3 })
    const own = tableOf({ ModelRatio: { alias: 9 } }).priceOf('alias', { ...group, upstreamModel: 'gpt-4o' })
    expect(ratiosOf(own)).toMatchObject({ model: 9, completion: 4, cacheRead: 0.5 })
  })

  test('prices of tools, for all models and for one', () => {
    expect(toolsOf(priceOf('gpt-4o'))).toEqual({ webSearch: 25, fileSearch: 2.5 })
    expect(toolsOf(priceOf('o3')).webSearch).toBe(10)
    const ToolPrice = { web_search: 3, 'web_search:o3': 4, file_search: 5 }
    expect(toolsOf(priceOf('gpt-4o', { ToolPrice }))).toEqual({ webSearch: 3, fileSearch: 5 })
    expect(toolsOf(priceOf('o3', { ToolPrice })).webSearch).toBe(4)
  })
})

describe('a model without a price', () => {
  test('a model without a price has none', () => {
    for (const model of ['unknown', 'constructor', '__proto__', 'toString', '']) expect(priceOf(model)).toBeNull()
    expect(tableOf().entryOf('unknown')).toBeNull()
  })

  test('a model without a price costs the ceiling for callers who accept it, and on a site in self-use mode', () => {
    const ceiling = { assumed: true, entry: { prices: { input: 75 } } }
    expect(tableOf().priceOf('unknown', { ...group, acceptsUnpriced: true })).toMatchObject(ceiling)
    expect(priceOf('unknown', { SelfUseModeEnabled: true })).toMatchObject(ceiling)
    expect(priceOf('gpt-4o', { SelfUseModeEnabled: true })).toMatchObject({ assumed: false })
  })

  test('a model without a price has none for the next caller after one who accepted', () => {
    const table = tableOf()
    expect(table.priceOf('unknown', { ...group, acceptsUnpriced: true })).not.toBeNull()
    expect(table.priceOf('unknown', group)).toBeNull()
  })
})

describe('groups', () => {
  const options = { GroupRatio: { default: 1, vip: 0.5 }, GroupGroupRatio: { staff: { vip: 0.1 } }, QuotaPerUnit: 1000 }

  test('group ratios multiply, and a group of users may have a ratio of its own for a group', () => {
    const table = tableOf(options)
    const common = { quotaPerUnit: 1000 }
    const of = (group: string, userGroup: string) => table.priceOf('gpt-4o', { group, userGroup })
    expect(of('vip', 'default')).toMatchObject({ ...common, groupRatio: 0.5, userGroupRatio: null })
    expect(of('vip', 'staff')).toMatchObject({ ...common, groupRatio: 0.5, userGroupRatio: 0.1 })
    expect(of('default', 'staff')).toMatchObject({ ...common, groupRatio: 1, userGroupRatio: null })
    expect(of('gone', 'default')).toMatchObject({ ...common, groupRatio: 1 })
  })

  test('equal queries return the same price, and different ones different prices', () => {
    const table = tableOf(options)
    const question = { group: 'vip', userGroup: 'default' }
    expect(table.priceOf('gpt-4o', question)).toBe(table.priceOf('gpt-4o', { ...question }))
    expect(table.priceOf('gpt-4o', question)).not.toBe(table.priceOf('gpt-4o', { ...question, userGroup: 'staff' }))
  })
})

test('a book reuses what an earlier one parsed, where the row is the same', () => {
  const row = (model: string, input: number) => ({ channel_id: 0, model, entry: JSON.stringify({ prices: { input } }) })
  const before = new PriceBook([row('same', 1), row('changed', 2), row('gone', 3)])
  const [same, changed] = [before.own('same'), before.own('changed'), before.own('gone')]
  const after = new PriceBook([row('same', 1), row('changed', 5), row('new', 4)], before)
  expect(after.own('same')).toBe(same)
  expect(changed).toEqual({ prices: { input: 2 } })
  expect(['changed', 'gone', 'new'].map((model) => after.own(model))).toEqual([
    { prices: { input: 5 } },
    null,
    { prices: { input: 4 } },
  ])
})
