import { expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'

import { serviceTierRatio } from './resolve-price'

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
  expect(serviceTierRatio(ratios, tier, names)).toBe(ratio)
})
