import { expect, test } from 'bun:test'

import { ChargeDetails, readFields, writeLogDetails } from '@tollgate/contract'
import { loggedCharge, loggedQuota } from '@tollgate/contract/price-formula'
import fc from 'fast-check'

import { chargeDetails } from '../gateway/src/billing/metering/charge-details'
import { noUnits } from '../gateway/src/billing/pricing/amounts'
import { computeCharge } from '../gateway/src/billing/pricing/charge'
import type { Price } from '../gateway/src/billing/pricing/price'
import { anyRatios, anyUsage, aPrice, entryOfRatios } from '../gateway/test/prices'

/** The log page computes a cost from the recorded details; it must equal what the gateway charged. */

const ratio = fc.oneof(
  fc.constantFrom(0, 0.1, 0.25, 1, 1.25, 2, 16),
  fc.integer({ min: 0, max: 99_999 }).map((n) => n / 1000),
)
const tokens = fc.oneof(fc.constantFrom(0, 1), fc.nat(5_000), fc.nat(2_000_000_000))

const tools = fc.record({ web_search: ratio, file_search: ratio, code_interpreter: ratio, image_generation: ratio })
const entry = fc.oneof(
  fc
    .record({ ratios: anyRatios(ratio), tools, reasoning: ratio, image_out: fc.option(ratio, { nil: undefined }) })
    .map(({ ratios, tools: called, ...others }) => {
      const of = entryOfRatios(ratios, called)
      return { ...of, ratios: { ...of.ratios, ...others } }
    }),
  fc.record({ prices: fc.record({ per_call: ratio, web_search: ratio }) }),
)
const hours = { name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.5 }
const price: fc.Arbitrary<Price> = fc
  .record({
    entry,
    groupRatio: ratio,
    userGroupRatio: fc.option(ratio),
    quotaPerUnit: fc.constantFrom(500_000, 1_000_000, 7),
    assumed: fc.boolean(),
  })
  .map(({ entry: sold, ...others }) => aPrice({ ...sold, schedules: [hours] }, { ...others, modeRatio: () => 3 }))
const usage = anyUsage(tokens)

test('the formula of a row equals the charge', () => {
  fc.assert(
    fc.property(price, usage, fc.boolean(), fc.boolean(), (price, usage, isTiered, isAtNight) => {
      const requested = isTiered ? { service_tier: 'fast' } : {}
      const charge = computeCharge({ price, requested, schedule: isAtNight ? hours : null, units: noUnits }, usage)
      const details = chargeDetails({ price, usage, charge, firstTokenMs: null, adminInfo: undefined })
      const other = writeLogDetails(details)
      const row = { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens }
      const logged = loggedCharge(row, readFields(ChargeDetails, other))
      expect(logged && loggedQuota(logged, price.quotaPerUnit).quota).toBe(charge.quota)
    }),
    { numRuns: 3_000, seed: 1 },
  )
})
