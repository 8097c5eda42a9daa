import { isPriced } from '@tollgate/contract/price-formula'
import { noUsage, plainUse, type PossibleUse, type ToolCalls } from '@tollgate/dialects'
import { priceClasses, ratioClasses, type PriceEntry } from '@tollgate/models'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { anyUsage } from '../../../test/prices'
import { amountsOf, noUnits, type Units } from './amounts'
import { cacheSavings, computeCharge, computeVendorCharge } from './charge'
import { oracleCost } from './exact-oracle'
import { maxQuota, possibleVariants } from './hold'
import { Price, type CallTerms } from './price'
import { reportedStandardMode, standardMode, type PriceFacts, type ServingMode } from './variant'

const quotaPerUnit = 500_000

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
const price = (entry: PriceEntry, some: Partial<PriceFacts> = {}): Price =>
  new Price({
    entry,
    groupRatio: 1,
    userGroupRatio: null,
    quotaPerUnit,
    assumed: false,
    modeRatio: () => null,
    ...some,
  })
const pinTerms = ({ entry = tiered, ...some }: Partial<CallTerms> & { entry?: PriceEntry } = {}): CallTerms => ({
  price: price(entry),
  schedule: null,
  requested: standardMode,
  units: noUnits,
  ...some,
})
const dollars = (quota: number) => quota / quotaPerUnit
/** A million tokens of each, in dollars. */
const ofMillion = (some: CallTerms, input: number, served: ServingMode = {}) => {
  const usage = { ...noUsage, promptTokens: input, completionTokens: input }
  const { quota, variant } = computeCharge(some, usage, served)
  return { dollars: (dollars(quota) / input) * 1_000_000, variant }
}

describe('the charge', () => {
  test.each<[string, number, ServingMode, ServingMode, number, string | null]>([
    ['of a short call is by the entry', 272_000, {}, {}, 35, null],
    ['of a long call is wholly by the tier', 272_001, {}, {}, 55, null],
    [
      'is by the mode that was asked for and told',
      200_000,
      { service_tier: 'priority' },
      { service_tier: 'priority' },
      87.5,
      'priority',
    ],
    [
      'is as usual where the answer says so',
      200_000,
      { service_tier: 'priority' },
      { service_tier: 'default' },
      35,
      null,
    ],
    ['is as asked where the answer says nothing', 200_000, { service_tier: 'flex' }, {}, 17.5, 'flex'],
    ['is not for a dearer mode than was asked for', 200_000, {}, { service_tier: 'priority' }, 35, null],
    ['is for a cheaper mode than was asked for', 200_000, {}, { service_tier: 'flex' }, 17.5, 'flex'],
    [
      'is as usual where a cheaper mode was not granted',
      200_000,
      { service_tier: 'flex' },
      { service_tier: 'default' },
      35,
      null,
    ],
    ['is by the region that the vendor chose', 200_000, {}, { region: 'us' }, 38.5, 'us'],
    ['multiplies a mode and a region', 272_001, { service_tier: 'flex' }, { region: 'us' }, 30.25, 'flex+us'],
  ])('%s', (_name, input, requested, servedMode, expected, mode) => {
    const charge = ofMillion(pinTerms({ requested }), input, servedMode)
    expect(charge.dollars).toBeCloseTo(expected, 4)
    expect(charge.variant.mode).toBe(mode)
    expect(charge.variant.tier).toBe(input > 272_000 ? 272_000 : null)
  })

  test.each([
    ['an answer of images without tokens is charged by its images', { image_count: 2 }, {}, 0.08],
    ['a finished task without tokens is charged', {}, { isDelivered: true }, 0.04],
    ['an answer without tokens and images costs nothing', {}, {}, 0],
    ['an answer that reports no image costs nothing', { image_count: 0 }, {}, 0],
  ])('%s', (_name, details, terms, expected) => {
    const entry = { prices: { per_image: 0.04 } }
    const { quota } = computeCharge(pinTerms({ entry, units: { images: 1 }, ...terms }), { ...noUsage, details })
    expect(dollars(quota)).toBe(expected)
  })

  test('the charge follows the schedule that was in force when the call began', () => {
    const schedule = { name: 'night', zone: 'UTC', days: [1], from: '00:00', to: '06:00', factor: 0.25 }
    const entry = { ...tiered, schedules: [schedule] }
    const at = (time: string) => ofMillion(price(entry).pin({ unixMs: Date.parse(`2026-11-23T${time}Z`) }), 200_000)
    expect(at('05:59:59.999').dollars).toBe(8.75)
    expect(at('05:59:59.999').variant.schedule).toBe('night')
    expect(at('06:00:00').dollars).toBe(35)
  })

  test('the charge applies the first of several modes for one field', () => {
    const modes = [
      { name: 'priority in the US', match: { service_tier: 'priority', region: 'us' }, factor: 3 },
      ...(tiered.modes ?? []),
    ]
    const served = { service_tier: 'priority', region: 'us' }
    const charge = ofMillion(pinTerms({ entry: { ...tiered, modes }, requested: served }), 200_000, served)
    expect(charge.dollars).toBe(105)
    expect(charge.variant.mode).toBe('priority in the US')
  })

  test('the charge is the price per call instead of tokens, plus tools', () => {
    const entry: PriceEntry = { prices: { per_call: 0.04, input: 9, web_search: 10 } }
    const usage = { ...noUsage, promptTokens: 1_000_000, toolCalls: { webSearch: 3 } }
    expect(dollars(computeCharge(pinTerms({ entry }), usage).quota)).toBe(0.07)
  })

  test('the charge counts seconds, images and characters', () => {
    const entry: PriceEntry = { prices: { per_second: 0.0001, per_image: 0.04, per_character: 15 } }
    const units = { seconds: 60, images: 2, characters: 1000 }
    const used = { ...noUsage, promptTokens: 1 }
    expect(dollars(computeCharge(pinTerms({ entry, units }), used).quota)).toBe(0.101)
    expect(dollars(computeCharge(pinTerms({ entry, units: { seconds: 7.5 } }), used).quota)).toBe(0.00075)
  })

  test('the charge applies the option’s factor for a tier that the entry has no mode for', () => {
    const modeRatio = (tier: string) => (tier === 'ultrafast' ? 6 : null)
    const of = (requested: ServingMode, served: ServingMode = {}) =>
      ofMillion({ price: price(tiered, { modeRatio }), schedule: null, requested, units: noUnits }, 9, served).variant
    expect(of({ service_tier: 'ultrafast' })).toMatchObject({ mode: 'ultrafast', modeFactors: [6] })
    expect(of({ service_tier: 'priority' }).mode).toBe('priority')
    expect(of({ service_tier: 'ultrafast' }, { service_tier: 'default' }).mode).toBeNull()
  })

  test('the charge applies a mode for the standard tier, where an entry has one', () => {
    const entry: PriceEntry = {
      prices: { input: 2, output: 2 },
      modes: [{ name: 'shared', match: { service_tier: 'default' }, factor: 0.5 }],
    }
    const used = { ...noUsage, promptTokens: 100 }
    for (const reported of [reportedStandardMode.service_tier, { ...reportedStandardMode.service_tier }]) {
      expect(computeCharge(pinTerms({ entry }), used, reported).quota).toBe(50)
      expect(computeVendorCharge(pinTerms({ entry }), used, reported).quota).toBe(50)
      expect(computeCharge(pinTerms({ entry: { prices: entry.prices } }), used, reported).quota).toBe(100)
    }
    expect(computeCharge(pinTerms({ entry }), used, reportedStandardMode.speed).quota).toBe(100)
  })

  test('the charge follows the request where the response’s tier is unknown', () => {
    expect(
      ofMillion(pinTerms({ requested: { service_tier: 'flex' } }), 9, { service_tier: 'unheard-of' }).variant.mode,
    ).toBe('flex')
  })

  test('the output of a model that draws is charged as images, except for what the response reports as text', () => {
    const entry: PriceEntry = { prices: { input: 0.3, output: 2.5, image_out: 30 } }
    const usage = { ...noUsage, promptTokens: 1, completionTokens: 1_000_000 }
    const details = { completion_modalities: { TEXT: 900_000, IMAGE: 100_000 } }
    expect(dollars(computeCharge(pinTerms({ entry }), usage).quota)).toBeCloseTo(30, 5)
    expect(dollars(computeCharge(pinTerms({ entry }), { ...usage, details }).quota)).toBeCloseTo(0.9 * 2.5 + 3, 5)
  })

  test('the charge is at least 1 where anything with a price was used, and 0 where nothing was', () => {
    const one = { ...noUsage, promptTokens: 1 }
    expect(computeCharge(pinTerms({ entry: { prices: { input: 0.0001 } } }), one).quota).toBe(1)
    expect(computeCharge(pinTerms({ entry: { prices: { input: 0 } } }), one).quota).toBe(0)
    expect(computeCharge(pinTerms({ entry: { prices: { per_call: 1 } } }), noUsage).quota).toBe(0)
  })

  test('the charge has the same variant for the same tier, mode and hours', () => {
    const flat = pinTerms({ entry: { prices: { input: 1 } } })
    expect(ofMillion(flat, 9).variant).toBe(ofMillion(flat, 99).variant)
    const requested = pinTerms({ requested: { service_tier: 'flex' } })
    expect(ofMillion(requested, 9).variant).toBe(ofMillion(requested, 8).variant)
    expect(ofMillion(requested, 300_000).variant).not.toBe(ofMillion(requested, 8).variant)
  })
})

describe('the savings of a cache', () => {
  const computeSavings = (entry: PriceEntry, some: object, group = 1) =>
    cacheSavings(computeCharge({ ...pinTerms(), price: price(entry, { groupRatio: group }) }, { ...noUsage, ...some }))
  const half = { prices: { input: 2, cache_read: 1 } }

  test.each<[string, PriceEntry, object, number, number]>([
    ['what was read, at the full input price', half, { promptTokens: 1000, cachedTokens: 800 }, 1, 400],
    [
      'what was heard, at the full price of audio',
      { prices: { input: 2, cache_read: 1, audio_in: 8, cache_read_audio: 4 } },
      { promptTokens: 1000, cachedTokens: 800, cachedAudioTokens: 300 },
      1,
      250 + 600,
    ],
    ['nothing without a hit', half, { promptTokens: 1000 }, 1, 0],
    ['the group counts', half, { promptTokens: 10, cachedTokens: 10 }, 6, 30],
    ['what was written is not taken off', half, { promptTokens: 200, cachedTokens: 100, cacheWriteTokens: 100 }, 1, 50],
    [
      'nothing where reading costs more',
      { prices: { input: 2, cache_read: 4 } },
      { promptTokens: 10, cachedTokens: 10 },
      1,
      0,
    ],
    ['nothing of a free model', { prices: { input: 0 } }, { promptTokens: 10, cachedTokens: 10 }, 1, 0],
    ['nothing at a fixed price', { prices: { per_call: 1 } }, { promptTokens: 10, cachedTokens: 10 }, 1, 0],
    [
      'no more than there was to read',
      { prices: { input: 2, cache_read: 0 } },
      { promptTokens: 10, cachedTokens: 900 },
      1,
      9,
    ],
  ])('%s', (_name, entry, some, group, expected) => expect(computeSavings(entry, some, group)).toBe(expected))
})

test.each([
  [{ input: 0 }, true],
  [{ per_second: 1 }, true],
  [{ output: 3, cache_read: 1 }, false],
  [{ web_search: 10 }, false],
])('%j is enough to charge by: %p', (prices, expected) => {
  expect(isPriced(prices)).toBe(expected)
})

describe('any entry', () => {
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
  const arbitraryMode = (field: keyof typeof names) => fc.constantFrom(...names[field], 'default', undefined)
  const ratio = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1000)
  const ratios = fc.record(Object.fromEntries(ratioClasses.map((name) => [name, ratio])), { requiredKeys: [] })
  const call = fc.record({
    entry: fc.record({ prices, ratios, tiers, modes }),
    schedule,
    quotaPerUnit: fc.constantFrom(500_000, 1000, 123_456),
    group: factor,
    usage: anyUsage(fc.oneof(fc.nat(100), fc.nat(2000), fc.nat(100_000))),
    requested: fc.constantFrom(...names.service_tier, undefined),
    service_tier: arbitraryMode('service_tier'),
    region: arbitraryMode('region'),
  })
  const units: Units = { seconds: 7, images: 2, characters: 99 }

  test('the charge equals exact rational arithmetic, and never exceeds the hold of the same amounts', () => {
    fc.assert(
      fc.property(call, ({ requested, service_tier, region, entry, usage, ...some }) => {
        const { group, quotaPerUnit: perUnit, schedule: hours } = some
        const sold = price(entry, { groupRatio: group, quotaPerUnit: perUnit })
        const call = { price: sold, schedule: hours, requested: { service_tier: requested }, units }
        const charge = computeCharge(call, usage, { service_tier, region })
        const isDrawing = entry.prices['image_out'] !== undefined || entry.ratios['image_out'] !== undefined
        const amounts = amountsOf(usage, units, isDrawing)
        const rate = { quotaPerUnit: perUnit, factors: [group] }
        const input = usage.promptTokens
        const cost = (tier: string | undefined) =>
          input + usage.completionTokens === 0
            ? 0
            : oracleCost({ entry, input, amounts, rate, schedule: hours, modes: [tier ?? '', region ?? ''] })
        const served = service_tier ?? requested
        const expected =
          served === requested ? cost(requested) : Math.min(cost(served), Math.max(cost(requested), cost(undefined)))
        expect(charge.quota).toBe(expected)
      }),
      { numRuns: 400 },
    )
  })

  const possible = fc
    .record({
      cacheMarks: fc.constantFrom(null, '5m' as const, '1h' as const),
      isSpoken: fc.boolean(),
      tools: fc.constantFrom<ToolCalls>({}, { webSearch: 1 }, { fileSearch: 1, codeInterpreter: 1 }),
    })
    .map((use): PossibleUse => ({ ...use, maxToolCalls: use.tools }))

  test('the hold is at least what any response of that length costs that the request permits', () => {
    fc.assert(
      fc.property(call, possible, fc.option(fc.nat(2000)), ({ requested, entry, usage, ...some }, may, counted) => {
        const { promptTokens, completionTokens } = usage
        const image = Math.min(usage.imageTokens, promptTokens)
        const audio = Math.min(usage.audioInputTokens, promptTokens - image)
        const call = {
          price: price(entry, { groupRatio: some.group }),
          schedule: some.schedule,
          requested: { service_tier: requested },
          units,
          possible: may,
          media: counted === null ? null : { image, audio, counted },
        }
        const permitted = {
          ...usage,
          imageTokens: counted === null ? 0 : image,
          audioInputTokens: counted === null ? 0 : audio,
          cacheWriteTokens: may.cacheMarks === null ? 0 : usage.cacheWriteTokens,
          cacheWriteHourTokens: may.cacheMarks === '1h' ? usage.cacheWriteHourTokens : 0,
          audioOutputTokens: may.isSpoken ? usage.audioOutputTokens : 0,
          toolCalls: may.tools,
        }
        const estimated = counted === null ? promptTokens : promptTokens - image - audio + counted
        const asking = { ...call, promptTokens: estimated, outputTokens: completionTokens }
        const held = maxQuota(possibleVariants(call, estimated), asking)
        const { service_tier, region } = some
        expect(computeCharge(call, permitted, { service_tier, region }).quota).toBeLessThanOrEqual(held)
      }),
      { numRuns: 400 },
    )
  })

  test('a prompt of media alone, as long as a tier, is held at the price below that tier', () => {
    const entry: PriceEntry = {
      prices: { per_call: 1 },
      tiers: [{ above: 85, prices: { per_call: 0 } }],
      modes: [],
      schedules: [],
    }
    const call = {
      price: price(entry),
      schedule: null,
      requested: {},
      units: noUnits,
      possible: plainUse,
      media: { image: 0, audio: 85, counted: 0 },
    }
    expect(maxQuota(possibleVariants(call, 0), { ...call, promptTokens: 0, outputTokens: 0 })).toBe(500_000)
  })

  test('every token is in exactly one class', () => {
    fc.assert(
      fc.property(anyUsage(fc.nat(1000)), fc.boolean(), (usage, isDrawing) => {
        const { input, output, image_in, audio_in, ...rest } = amountsOf(usage, noUnits, isDrawing)
        const cached = rest.cache_read + rest.cache_read_audio + rest.cache_write_5m + rest.cache_write_1h
        expect(input + cached + image_in + audio_in).toBe(usage.promptTokens)
        expect(output + rest.reasoning + rest.audio_out + rest.image_out).toBe(usage.completionTokens)
      }),
    )
  })
})

test('audio from a cache costs its own price, and what the rest of the cache costs where it has none', () => {
  const usage = { ...noUsage, promptTokens: 1000, cachedTokens: 800, cachedAudioTokens: 600, audioInputTokens: 100 }
  const quota = (prices: PriceEntry['prices']) => computeCharge(pinTerms({ entry: { prices } }), usage).quota
  const prices = { input: 2, cache_read: 1, audio_in: 32 }
  expect(quota(prices)).toBe((100 * 2 + 800 * 1 + 100 * 32) / 2)
  expect(quota({ ...prices, cache_read_audio: 4 })).toBe((100 * 2 + 200 * 1 + 600 * 4 + 100 * 32) / 2)
})

test('a prompt is held at the price of audio from a cache where that is the highest', () => {
  const terms = price({ prices: { input: 5, cache_read_audio: 20 } }).pin({ unixMs: 0 })
  const usage = { ...noUsage, promptTokens: 1000, cachedTokens: 1000, cachedAudioTokens: 1000 }
  const maxUse = { promptTokens: 1000, outputTokens: 0, units: noUnits, possible: plainUse, media: null }
  expect(maxQuota(possibleVariants(terms, 1000), maxUse)).toBe(computeCharge(terms, usage).quota)
})
