import { describe, expect, test } from 'bun:test'

import type { RoutingRule } from '@tollgate/contract'

import { strategyOf } from './rule-of'

describe('the strategy of a group and model', () => {
  const rules: readonly RoutingRule[] = [
    { group: 'vip', model: 'gpt-*', strategy: 'fastest' },
    { model: 'gpt-4o', strategy: 'weight' },
    { model: '*-mini*2025*', strategy: 'least_busy' },
    { model: 'gpt-*', strategy: 'cheapest' },
    { group: 'vip', model: '*', strategy: 'mix', cost: 3, load: 1 },
  ]

  test.each([
    ['vip', 'gpt-4o', 'fastest'],
    ['default', 'gpt-4o', null],
    ['default', 'gpt-4o-2024', 'cheapest'],
    ['default', 'gpt-4o-mini-2025-01', 'least_busy'],
    ['default', 'o4-mini-2025', 'least_busy'],
    ['default', 'o4-2025-mini', null],
    ['default', 'gpt', null],
    ['default', 'my-gpt-4o', null],
    ['vip', 'claude', 'mix'],
  ])('%s calls %s: %s', (group, model, name) => {
    expect(strategyOf(rules, group, model)?.name ?? null).toBe(name as never)
  })

  test('the parts of a mix make one', () => {
    expect(strategyOf(rules, 'vip', 'claude')).toEqual({ name: 'mix', cost: 0.75, speed: 0, load: 0.25 })
  })

  test('a pattern needs each of its letters once', () => {
    const isIn = (model: string, name: string) => strategyOf([{ model, strategy: 'fastest' }], 'g', name) !== null
    expect([isIn('ab*ba', 'aba'), isIn('ab*ba', 'abba'), isIn('a**b', 'ab'), isIn('*', '')]).toEqual([
      false,
      true,
      true,
      true,
    ])
  })
})
