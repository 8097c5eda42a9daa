import { describe, expect, test } from 'bun:test'

import type { pricingRoutes } from '@tollgate/contract'

import type { Candidate, Catalog, Channel, PriorityLevel } from '../../channels/catalog/catalog'
import { pricingRows, type PriceLookup } from './pricing-rows'

const gpt4oEntry = { prices: { input: 2.5, output: 10, cache_read: 1.25 } }

const prices: Record<string, ReturnType<PriceLookup>> = {
  'gpt-4o': { prices: { input: 2.5 }, ratios: { output: 4, cache_read: 0.5 } },
  'dall-e-3': { prices: { per_call: 0.04 } },
}
const priceOf: PriceLookup = ({ model, upstreamModel = '' }) => prices[model] ?? prices[upstreamModel] ?? null

const modelMapping = new Map([['our-model', 'gpt-4o']])
const channel = (isFree: boolean) => ({ provider: { isFree }, modelMapping }) as unknown as Channel
const servedAs = (model: string, isFree = false): readonly PriorityLevel[] => [
  { priority: 0, candidates: [{ model, weight: 1, channel: channel(isFree) } as Partial<Candidate> as Candidate] },
]

const routes: Catalog['routes'] = new Map([
  [
    'default',
    new Map([
      ['gpt-4o', servedAs('gpt-4o')],
      ['unpriced', servedAs('unpriced')],
    ]),
  ],
  [
    'vip',
    new Map([
      ['gpt-4o', servedAs('gpt-4o')],
      ['eu/gpt-4o', servedAs('gpt-4o')],
      ['dall-e-3', servedAs('dall-e-3')],
    ]),
  ],
  ['hidden', new Map([['dall-e-3', servedAs('dall-e-3')]])],
])

const groups = (...names: string[]) => new Map(names.map((name) => [name, { description: '', ratio: 1 }]))

const gpt4o: pricingRoutes.ModelFacts = {
  kind: 'chat',
  context_tokens: 128_000,
  output_tokens: 16_384,
  input: ['text', 'image', 'pdf'],
  output: ['text'],
  abilities: ['tools', 'structured-output', 'prompt-caching'],
}

const dallE3: pricingRoutes.ModelFacts = {
  kind: 'image',
  context_tokens: null,
  output_tokens: null,
  input: ['text'],
  output: [],
  abilities: [],
}

const today = '2026-11-23'
const datesOfDallE3 = { released_on: null, retires_on: null, is_retired: false }
const datesOfGpt4o = { released_on: '2024-05-13', retires_on: null, is_retired: false }

describe('pricing rows', () => {
  test('a mapped model without a price of its own has that of the model it stands for, as calls do', () => {
    const mapped: Catalog['routes'] = new Map([['default', new Map([['our-model', servedAs('our-model')]])]])
    const rows = pricingRows(mapped, groups('default'), priceOf, today)
    expect(rows).toMatchObject([{ model_name: 'our-model', entry: gpt4oEntry }])
  })

  test('each model has one row with the groups it is served in, prefixed names at the price of the bare model', () => {
    expect(pricingRows(routes, groups('default', 'vip'), priceOf, today)).toEqual([
      {
        model_name: 'dall-e-3',
        owned_by: 'openai',
        quota_type: 1,
        model_ratio: 0,
        completion_ratio: 0,
        cache_ratio: 0,
        model_price: 0.04,
        enable_groups: ['vip'],
        entry: { prices: { per_call: 0.04 } },
        facts: dallE3,
        ...datesOfDallE3,
      },
      {
        model_name: 'eu/gpt-4o',
        owned_by: 'openai',
        quota_type: 0,
        model_ratio: 1.25,
        completion_ratio: 4,
        cache_ratio: 0.5,
        model_price: 0,
        enable_groups: ['vip'],
        entry: gpt4oEntry,
        facts: gpt4o,
        ...datesOfGpt4o,
      },
      {
        model_name: 'gpt-4o',
        owned_by: 'openai',
        quota_type: 0,
        model_ratio: 1.25,
        completion_ratio: 4,
        cache_ratio: 0.5,
        model_price: 0,
        enable_groups: ['default', 'vip'],
        entry: gpt4oEntry,
        facts: gpt4o,
        ...datesOfGpt4o,
      },
    ])
  })

  test('an unknown model has a price and no facts', () => {
    const routes = new Map([['default', new Map([['our-own-model', servedAs('our-own-model')]])]])
    const [row] = pricingRows(routes, groups('default'), () => ({ prices: { per_call: 1 } }), today)
    expect(row).toMatchObject({ model_name: 'our-own-model', owned_by: '', facts: null })
  })

  test('a model has its release date, and when its vendor retires it', () => {
    const served = servedAs('claude-sonnet-4-5')
    const routes = new Map([['default', new Map([['claude-sonnet-4-5', served]])]])
    const on = (today: string) => pricingRows(routes, groups('default'), () => ({ prices: { per_call: 1 } }), today)[0]
    expect(on('2026-11-29')).toMatchObject({ released_on: '2025-09-29', retires_on: '2026-11-30', is_retired: false })
    expect(on('2026-11-30')?.is_retired).toBe(true)
  })

  test('groups the caller may not use and models without a price are left out', () => {
    expect(pricingRows(routes, groups('default'), priceOf, today).map((row) => row.model_name)).toEqual(['gpt-4o'])
    expect(pricingRows(routes, groups('unserved'), priceOf, today)).toEqual([])
  })

  test('a model of the operator’s own machine is asked for as one', () => {
    const own: Catalog['routes'] = new Map([['default', new Map([['qwen3:8b', servedAs('qwen3:8b', true)]])]])
    const free: PriceLookup = ({ isOwnMachine }) => (isOwnMachine ? { prices: { input: 0 } } : null)
    expect(pricingRows(own, groups('default'), free, today).map((row) => row.model_ratio)).toEqual([0])
  })
})
