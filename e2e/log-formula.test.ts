import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { costFormula } from '../console/src/features/logs/cost-formula'
import { costOf } from '../gateway/src/metering/cost'
import { logOther } from '../gateway/src/metering/log-other'
import type { Price } from '../gateway/src/metering/price'
import { anyRatios, anyUsage } from '../gateway/test/prices'

/** The log's page computes a cost from what the gateway wrote down: it must come to what the gateway charged. */

const ratio = fc.oneof(
  fc.constantFrom(0, 0.1, 0.25, 1, 1.25, 2, 16),
  fc.integer({ min: 0, max: 99_999 }).map((n) => n / 1000),
)
const tokens = fc.oneof(fc.constantFrom(0, 1), fc.nat(5_000), fc.nat(2_000_000_000))

const group = {
  groupRatio: ratio,
  userGroupRatio: fc.option(ratio),
  quotaPerUnit: fc.constantFrom(500_000, 1_000_000, 7),
  tools: fc.record({ webSearch: ratio, fileSearch: ratio }),
}
const price: fc.Arbitrary<Price> = fc.oneof(
  fc.record({
    ...group,
    kind: fc.constant('per-token'),
    assumed: fc.boolean(),
    ratios: anyRatios(ratio),
  }),
  fc.record({ ...group, kind: fc.constant('per-call'), usd: ratio }),
)
const usage = anyUsage(tokens)

test('the formula of a row comes to what was charged', () => {
  fc.assert(
    fc.property(price, usage, (price, usage) => {
      const { quota, parts } = costOf(price, usage)
      const other = logOther({ price, usage, parts, firstTokenMs: null, adminInfo: { use_channel: [], attempts: [] } })
      const row = { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens, other }
      expect(costFormula(row, price.quotaPerUnit)?.quota).toBe(quota)
    }),
    { numRuns: 3_000, seed: 1 },
  )
})
