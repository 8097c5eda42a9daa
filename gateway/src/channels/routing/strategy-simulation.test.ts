import { describe, expect, test } from 'bun:test'

import type { RoutingRule } from '@tollgate/contract'

import { simulateStrategy } from '../../../test/strategy-world'

const rules: readonly RoutingRule[] = [
  { model: '*', strategy: 'cheapest' },
  { model: '*', strategy: 'fastest' },
  { model: '*', strategy: 'least_busy' },
  { model: '*', strategy: 'mix', cost: 1, speed: 1, load: 1 },
]

describe('ten channels whose speed and price drift, and which fail at times', () => {
  test.each(rules)('$strategy: within 5 % of the best channel in hindsight, none starved, no flapping', (rule) => {
    const { mean, bestFixed, minShare, leadsPerHour, moved } = simulateStrategy(rule, 50_000, 1)
    expect(mean / bestFixed).toBeLessThan(1.05)
    expect(minShare).toBeGreaterThan(0.001)
    expect(leadsPerHour).toBeLessThan(40)
    expect(moved).toBeLessThan(0.06)
  })
})
