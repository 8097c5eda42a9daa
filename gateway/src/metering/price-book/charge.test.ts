import { noUsage } from '@tollgate/dialects'
import { priceClasses, type PriceEntry } from '@tollgate/models'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { anyUsage } from '../../../test/prices'
import { amountsOf, type Amounts } from './amounts'
import { charged, dearest, type PinnedPrice } from './charge'
import { isPriced } from './class-prices'
import { oracleCost } from './exact-oracle'
import type { ServedBy } from './variant'

const rate = { quotaPerUnit: 500_000, factor: 1 }
const million: Amounts = amountsOf({ ...noUsage, promptTokens: 1_000_000, completionTokens: 1_000_000 })

/** As https://openai.com/api/pricing prices one of its models. */
const tiered: PriceEntry = {
  prices: { input: 5, output: 30, cache_read: 0.5 },
  tiers: [{ above: 272_000, prices: { input: 10, output: 45, cache_read: 1 } }],
  modes: [
    { name: 'priority', match: { service_tier: 'priority' }, prices: { input: 12.5, output: 75, cache_read: 1.25 } },
    { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 },
    { name: 'us', match: { region: 'us' }, factor: 1.1 },
  ],
}
const price = (some: Partial<PinnedPrice> = {}): PinnedPrice => ({
  entry: tiered,
  rate,
  schedule: null,
  asked: {},
  ...some,
})
const dollars = (quota: number) => quota / rate.quotaPerUnit

describe('the charge', () => {
  test.each<[string, number, ServedBy, ServedBy, number, string | null]>([
    ['of a short call is by the entry', 272_000, {}, {}, 35, null],
    ['of a long call is wholly by the tier', 272_001, {}, {}, 55, null],
    [
      'is by the mode that was asked for and told',
      9,
      { service_tier: 'priority' },
      { service_tier: 'priority' },
      87.5,
      'priority',
    ],
    ['is as usual where the answer says so', 9, { service_tier: 'priority' }, { service_tier: 'default' }, 35, null],
    ['is as asked where the answer says nothing', 9, { service_tier: 'flex' }, {}, 17.5, 'flex'],
    ['is not for a dearer mode than was asked for', 9, {}, { service_tier: 'priority' }, 35, null],
    ['is for a cheaper mode than was asked for', 9, {}, { service_tier: 'flex' }, 17.5, 'flex'],
    [
      'is as usual where a cheaper mode was not granted',
      9,
      { service_tier: 'flex' },
      { service_tier: 'default' },
      35,
      null,
    ],
    ['is by the region that the vendor chose', 9, {}, { region: 'us' }, 38.5, 'us'],
    ['multiplies a mode and a region', 272_001, { service_tier: 'flex' }, { region: 'us' }, 30.25, 'flex+us'],
  ])('%s', (_name, input, asked, answer, expected, mode) => {
    const charge = charged(price({ asked }), input, million, answer)
    expect(dollars(charge.quota)).toBe(expected)
    expect(charge.variant.mode).toBe(mode)
    expect(charge.variant.tier).toBe(input > 272_000 ? 272_000 : null)
  })

  test('is by the schedule that was in force when the call began', () => {
    const schedule = { name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.25 }
    const charge = charged(price({ schedule }), 9, million, {})
    expect(dollars(charge.quota)).toBe(8.75)
    expect(charge.variant.schedule).toBe('night')
  })

  test('looks at the first of several modes for one field', () => {
    const modes = [
      { name: 'priority in the US', match: { service_tier: 'priority', region: 'us' }, factor: 3 },
      ...(tiered.modes ?? []),
    ]
    const served = { service_tier: 'priority', region: 'us' }
    const charge = charged(price({ entry: { ...tiered, modes }, asked: served }), 9, million, served)
    expect(dollars(charge.quota)).toBe(105)
    expect(charge.variant.mode).toBe('priority in the US')
  })

  test('takes a price for the call in place of tokens, and adds tools', () => {
    const entry: PriceEntry = { prices: { per_call: 0.04, input: 9, web_search: 10 } }
    const amounts = amountsOf({ ...noUsage, promptTokens: 1_000_000, toolCalls: { webSearch: 3 } })
    expect(dollars(charged(price({ entry }), 9, amounts, {}).quota)).toBe(0.07)
  })

  test('counts seconds, images and characters', () => {
    const entry: PriceEntry = { prices: { per_second: 0.0001, per_image: 0.04, per_character: 15 } }
    const amounts = amountsOf(noUsage, { seconds: 60, images: 2, characters: 1000 })
    expect(dollars(charged(price({ entry }), 9, amounts, {}).quota)).toBe(0.101)
  })

  test('is at least 1 where anything with a price was used', () => {
    const one = amountsOf({ ...noUsage, promptTokens: 1 })
    expect(charged(price({ entry: { prices: { input: 0.0001 } } }), 1, one, {}).quota).toBe(1)
    expect(charged(price({ entry: { prices: { input: 0 } } }), 1, one, {}).quota).toBe(0)
  })
})

test.each([
  [{ input: 0 }, true],
  [{ per_second: 1 }, true],
  [{ output: 3, cache_read: 1 }, false],
  [{ web_search: 10 }, false],
])('%j says enough to charge by: %p', (prices, expected) => {
  expect(isPriced(prices)).toBe(expected)
})

describe('with any entry', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 }).map((units) => units / 1000)
  const factor = fc.integer({ min: 0, max: 300 }).map((percent) => percent / 100)
  const prices = fc.record(Object.fromEntries(priceClasses.map((name) => [name, amount])), { requiredKeys: [] })
  const tiers = fc.uniqueArray(fc.record({ above: fc.integer({ min: 1, max: 1000 }), prices }), {
    maxLength: 3,
    selector: ({ above }) => above,
  })
  const mode = (field: 'service_tier' | 'region', name: string) =>
    fc.record(
      { name: fc.constant(name), match: fc.constant({ [field]: name }), factor, prices, tiers },
      { requiredKeys: ['name', 'match'] },
    )
  const names = { service_tier: ['priority', 'flex'], region: ['us', 'eu'] } as const
  const modes = fc.tuple(
    ...names.service_tier.map((name) => mode('service_tier', name)),
    ...names.region.map((name) => mode('region', name)),
  )
  const schedule = fc.option(
    factor.map((value) => ({ name: 'hours', zone: 'UTC', days: [1], from: '00:00', to: '01:00', factor: value })),
  )
  const told = (field: keyof typeof names) => fc.constantFrom(...names[field], 'default', undefined)
  const call = fc.record({
    entry: fc.record({ prices, tiers, modes }),
    schedule,
    rate: fc.record({ quotaPerUnit: fc.constantFrom(500_000, 1000, 123_456), factor }),
    input: fc.nat(1200),
    amounts: anyUsage(fc.nat(100_000)).map((usage) => amountsOf(usage, { seconds: 7, images: 2, characters: 99 })),
    asked: fc.constantFrom(...names.service_tier, undefined),
    service_tier: told('service_tier'),
    region: told('region'),
  })

  test('the charge is what exact fractions say, and never above the hold of the same amounts', () => {
    fc.assert(
      fc.property(call, ({ asked, service_tier, region, ...some }) => {
        const pinned: PinnedPrice = { ...some, asked: { service_tier: asked } }
        const charge = charged(pinned, some.input, some.amounts, { service_tier, region })
        const cost = (tier: string | undefined) => oracleCost({ ...some, modes: [tier ?? '', region ?? ''] })
        const served = service_tier ?? asked
        const expected = served === asked ? cost(asked) : Math.min(cost(served), Math.max(cost(asked), cost(undefined)))
        expect(charge.quota).toBe(expected)
        expect(charge.quota).toBeLessThanOrEqual(dearest(pinned, some.input, some.amounts).quota)
      }),
      { numRuns: 1000 },
    )
  })

  test('every token is in exactly one class', () => {
    fc.assert(
      fc.property(anyUsage(fc.nat(1000)), (usage) => {
        const { input, output, cache_read, cache_write_5m, cache_write_1h, image_in, audio_in, ...rest } =
          amountsOf(usage)
        expect(input + cache_read + cache_write_5m + cache_write_1h + image_in + audio_in).toBe(usage.promptTokens)
        expect(output + rest.reasoning + rest.audio_out + rest.image_out).toBe(usage.completionTokens)
      }),
    )
  })
})
