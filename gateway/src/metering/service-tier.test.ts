import { describe, expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'
import { noUsage } from '@tollgate/dialects'

import { costOf } from './cost'
import { createPriceTable } from './price-table'
import { atTier, servedRatio, tierRatio } from './service-tier'

const ratios = defaultOptions.ServiceTierRatio

test.each<[string, readonly string[], number | null]>([
  ['priority', ['gpt-4o'], 2],
  ['priority', ['gpt-5.5'], 2.5],
  ['priority', ['openai/gpt-5.5-2026-04-23', 'public'], 2.5],
  ['priority', ['unknown', 'gpt-5.5'], 2.5],
  ['fast', ['claude-opus-4-6'], 6],
  ['fast', ['claude-opus-5'], 2],
  ['flex', ['o3'], 0.5],
  ['scale', ['gpt-4o'], null],
  ['constructor', ['gpt-4o'], null],
])('the ratio of %s for %p is %p', (tier, names, ratio) => {
  expect(tierRatio(ratios, tier, names)).toBe(ratio)
})

describe('a call that asked for a tier is charged', () => {
  const ratioOf = (tier: string) => tierRatio(ratios, tier, ['gpt-4o'])
  const served = (tier: string, told?: string) => servedRatio({ tier, ratio: ratioOf(tier) ?? 1 }, told, ratioOf)

  test.each<[string, string | undefined, number]>([
    ['priority', 'priority', 2],
    ['priority', undefined, 2],
    ['priority', 'default', 1],
    ['priority', 'flex', 0.5],
    ['fast', 'priority', 2],
    ['flex', 'flex', 0.5],
    ['flex', undefined, 0.5],
    ['flex', 'default', 1],
    ['flex', 'priority', 1],
    ['priority', 'unheard-of', 2],
  ])('for %s served as %p: %p', (tier, told, ratio) => {
    expect(served(tier, told)).toBe(ratio)
  })
})

test('a tier multiplies everything that a call costs', () => {
  const table = createPriceTable({ ...defaultOptions, ModelRatio: { m: 1.5 }, ModelPrice: { call: 0.01 } })
  const query = { group: 'default', userGroup: 'default' }
  const [byToken, byCall] = [table.priceOf('m', query), table.priceOf('call', query)]
  if (!byToken || !byCall) throw new Error('No price')
  const usage = { ...noUsage, promptTokens: 100, completionTokens: 10, toolCalls: { webSearch: 3 } }
  expect(costOf(atTier(byToken, 2.5), usage).quota).toBe(Math.round(costOf(byToken, usage).quota * 2.5))
  expect(costOf(atTier(byCall, 0.5), usage).quota).toBe(costOf(byCall, usage).quota / 2)
  expect(atTier(byToken, 1)).toBe(byToken)
  expect(atTier(byToken, 2)).toBe(atTier(byToken, 2))
})
