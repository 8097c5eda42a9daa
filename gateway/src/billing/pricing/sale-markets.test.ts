import { defaultOptions } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'
import {
  regionalVendors,
  regionOf,
  vendorPrices,
  writePriceLine,
  readPriceLine,
  type PriceEntry,
} from '@tollgate/models'
import { providers } from '@tollgate/providers'
import { describe, expect, test } from 'bun:test'

import { PriceBook } from './price-book'
import { Prices } from './prices'

const providerOf = (id: string) => ({ id, baseUrl: providers.find((provider) => provider.id === id)?.baseUrl ?? null })
interface Bought {
  readonly vendor: string
  readonly models: readonly string[]
  readonly baseUrl?: string
}
interface Site {
  readonly own?: Readonly<Record<string, PriceEntry>>
  readonly ListPriceYuanRate?: number
}
const siteOf = (bought: readonly Bought[], { own = {}, ListPriceYuanRate = 8 }: Site = {}) => {
  const rows = Object.entries(own).map(([model, entry]) => ({ channel_id: 0, model, entry: JSON.stringify(entry) }))
  const prices = new Prices({
    options: { ...defaultOptions, ListPriceYuanRate },
    book: new PriceBook(rows),
    channels: new Map(
      bought.map(({ vendor, models, baseUrl = '' }, index) => [
        index + 1,
        { provider: { ...providerOf(vendor), baseUrl: providerOf(vendor).baseUrl }, models, baseUrl },
      ]),
    ),
  })
  const convertToPrices = (entry: PriceEntry | null) => entry && { ...entry, prices: inPrices(entry).prices }
  return {
    entryOf: (model: string) => convertToPrices(prices.entryOf(model)),
    costOf: (channelId: number, model: string) => convertToPrices(prices.costOf(channelId, model)?.price.entry ?? null),
  }
}
const dashScope = { vendor: 'dashscope', models: ['qwen-plus'] }
const abroad = { ...dashScope, baseUrl: 'https://dashscope-intl.aliyuncs.com' }

test.each([
  ['dashscope', 'https://dashscope.aliyuncs.com', 'cn'],
  ['dashscope', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'intl'],
  ['dashscope', 'https://relay.example', 'cn'],
  ['dashscope', 'https://dashscope-intl.aliyuncs.com.evil.example', 'cn'],
  ['zhipu', 'https://open.bigmodel.cn', 'cn'],
  ['zhipu', 'https://api.z.ai/api/paas/v4', 'intl'],
  ['minimax', 'https://api.minimax.chat', 'cn'],
  ['minimax', 'https://api.minimax.io', 'intl'],
  ['siliconflow', 'https://api.siliconflow.com', 'intl'],
  ['openai', 'https://api.openai.com', 'intl'],
])('%s at %s sells at the prices of %s', (vendor, baseUrl, region) => {
  expect(regionOf(vendor, baseUrl)).toBe(region as 'cn')
})

test('vendors with prices or regions of their own are channel types', () => {
  const ids = new Set(providers.map(({ id }) => id))
  const named = [...regionalVendors, ...vendorPrices().map(({ vendor }) => vendor)]
  expect(named.filter((vendor) => !ids.has(vendor))).toEqual([])
})

test('each price of a vendor has a source with a date, is listed once, and survives being written and read', () => {
  const keys = vendorPrices().map(({ vendor, region, name }) => `${vendor} ${region} ${name}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { entry, source, date, name } of vendorPrices()) {
    expect({ name, source: source !== '', date: /^20\d\d-\d\d-\d\d$/.test(date) }).toEqual({
      name,
      source: true,
      date: true,
    })
    expect(readPriceLine(writePriceLine(name, entry))).toEqual(entry)
  }
})

describe('a list price', () => {
  test('a model bought on the mainland costs its yuan at the rate of the option', () => {
    const { entryOf } = siteOf([dashScope], { ListPriceYuanRate: 8 })
    expect(entryOf('qwen-plus')?.prices).toMatchObject({ input: 0.1, output: 0.25 })
    expect(siteOf([dashScope], { ListPriceYuanRate: 4 }).entryOf('qwen-plus')?.prices).toMatchObject({
      input: 0.2,
      output: 0.5,
    })
  })

  test('a model bought at the international address costs the general list price', () => {
    expect(siteOf([abroad]).entryOf('qwen-plus')?.prices).toMatchObject({ input: 0.4, output: 1.2 })
    expect(siteOf([]).entryOf('qwen-plus')?.prices).toMatchObject({ input: 0.4, output: 1.2 })
  })

  test('a model bought in two regions is sold at the general price and costs each channel its own', () => {
    const site = siteOf([dashScope, abroad])
    expect(site.entryOf('qwen-plus')?.prices).toMatchObject({ input: 0.4, output: 1.2 })
    expect(site.costOf(1, 'qwen-plus')?.prices).toMatchObject({ input: 0.1, output: 0.25 })
    expect(site.costOf(2, 'qwen-plus')?.prices).toMatchObject({ input: 0.4, output: 1.2 })
  })

  test('an operator’s price wins over that of any market, exactly as it was set', () => {
    const entry = { prices: { input: 5, output: 7 } }
    for (const ListPriceYuanRate of [1, 7.1, 100]) {
      const site = siteOf([dashScope], { own: { 'qwen-plus': entry }, ListPriceYuanRate })
      expect(site.entryOf('qwen-plus')?.prices).toMatchObject(entry.prices)
    }
  })

  test('an operator’s ratios keep applying to the operator’s price', () => {
    const own = { 'qwen-plus': { prices: { input: 5 }, ratios: { output: 3 } } }
    expect(siteOf([dashScope], { own }).entryOf('qwen-plus')).toMatchObject(own['qwen-plus'])
  })

  test.each([
    ['zhipu', 'glm-5v-turbo', { input: 5 / 8, output: 22 / 8, cache_read: 0.15 }],
    ['zhipu', 'glm-4.6', { input: 3 / 8, output: 14 / 8 }],
    ['tencent', 'hunyuan-a13b-instruct', { input: 0.0625, output: 0.25 }],
    ['dashscope', 'qwen3-235b-a22b-thinking-2507', { input: 0.25, output: 2.5 }],
    ['dashscope', 'qwen-mt-plus', { input: 0.225, output: 0.675 }],
    ['dashscope', 'text-embedding-v4', { input: 0.0625 }],
    ['vertex', 'mistral-medium-3', { input: 0.4, output: 2 }],
    ['mistral', 'mistral-medium-3', { input: 1.5, output: 7.5 }],
    ['volcengine', 'doubao-seed-1-8-251228', { input: 0.1, output: 1, cache_read: 0.02 }],
    ['siliconflow', 'BAAI/bge-m3', { input: 0 }],
    ['jimeng', 'jimeng_v30', { per_second: 0.035 }],
  ])('%s sells %s at %j', (vendor, model, prices) => {
    expect(siteOf([{ vendor, models: [model] }]).entryOf(model)?.prices).toMatchObject(prices)
  })

  test('a model that one vendor gives away is not free at another', () => {
    expect(siteOf([{ vendor: 'custom', models: ['BAAI/bge-m3'] }]).entryOf('BAAI/bge-m3')).toBeNull()
  })

  test('a price of low confidence is not charged', () => {
    expect(siteOf([{ vendor: 'jina', models: ['jina-clip-v1'] }]).entryOf('jina-clip-v1')).toBeNull()
  })

  test('long inputs on the mainland cost more in the proportion of the general list', () => {
    const tiers = siteOf([abroad]).entryOf('qwen-plus')?.tiers ?? []
    const scaled = siteOf([dashScope]).entryOf('qwen-plus')?.tiers ?? []
    expect(scaled.map(({ above, prices }) => [above, prices.input])).toEqual(
      tiers.map(({ above, prices }) => [above, (prices.input ?? 0) / 4]),
    )
  })
})
