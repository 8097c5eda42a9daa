import { describe, expect, test } from 'bun:test'

import { noUsage, type Usage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { anyRatios, anyUsage } from '../../test/prices'
import { cacheSavedBy, costOf, partsOf } from './cost'
import type { PerCall, PerToken, Ratios } from './price'

const ratios: Ratios = {
  model: 1,
  completion: 1,
  cacheRead: 1,
  cacheWrite: 1.25,
  cacheWriteHour: 2,
  image: 1,
  audio: 1,
  audioCompletion: 1,
}
const common = { groupRatio: 1, userGroupRatio: null, quotaPerUnit: 500_000, tools: { webSearch: 10, fileSearch: 2.5 } }
const byToken = (some: Partial<Ratios>, group: Partial<PerToken> = {}): PerToken => ({
  kind: 'per-token',
  assumed: false,
  ratios: { ...ratios, ...some },
  ...common,
  ...group,
})
const byCall = (usd: number, group: Partial<PerCall> = {}): PerCall => ({ kind: 'per-call', usd, ...common, ...group })
const used = (some: Partial<Usage>): Usage => ({ ...noUsage, ...some })
const quota = (price: PerToken | PerCall, some: Partial<Usage>) => costOf(price, used(some)).quota

describe('cost by tokens', () => {
  test.each<[string, Partial<Ratios>, Partial<Usage>, number]>([
    ['prompt and completion', { model: 1.25, completion: 4 }, { promptTokens: 1000, completionTokens: 100 }, 1750],
    ['read from the cache', { model: 2.5, cacheRead: 0.25 }, { promptTokens: 1000, cachedTokens: 999 }, 627],
    [
      'written to the cache',
      { model: 1.5 },
      { promptTokens: 300, cacheWriteTokens: 100, cacheWriteHourTokens: 100 },
      638,
    ],
    [
      'pictures',
      { model: 1.3, image: 2.2, cacheRead: 0.5 },
      { promptTokens: 900, imageTokens: 501, cachedTokens: 99 },
      1887,
    ],
    [
      'sound in and out',
      { model: 1.25, completion: 4, audio: 16, audioCompletion: 2 },
      { promptTokens: 300, audioInputTokens: 120, completionTokens: 90, audioOutputTokens: 33 },
      4230,
    ],
    ['half of a unit', { model: 0.5 }, { promptTokens: 1 }, 1],
    ['just below half of a unit', { model: 0.1 }, { promptTokens: 14 }, 1],
    ['a tenth is a tenth', { model: 0.1 }, { promptTokens: 3_000_000 }, 300_000],
    ['next to nothing', { model: 1e-9 }, { promptTokens: 1 }, 1],
    ['a free model', { model: 0 }, { promptTokens: 5000, completionTokens: 5000 }, 0],
    ['nothing used', { model: 5 }, {}, 0],
    [
      'all the ways in, more than there is',
      { cacheRead: 0.5 },
      { promptTokens: 10, cachedTokens: 8, imageTokens: 8 },
      6,
    ],
    ['a third, to twelve places', { completion: 4 / 3 }, { completionTokens: 3_000_000 }, 4_000_000],
    ['beyond what numbers hold', { model: 1e9 }, { promptTokens: 2 ** 30 }, Number.MAX_SAFE_INTEGER],
  ])('%s', (_name, some, usage, expected) => {
    expect(quota(byToken(some), usage)).toBe(expected)
  })

  test('the ratio of the group multiplies, the one for the caller’s group replaces it', () => {
    expect(quota(byToken({}, { groupRatio: 0.35 }), { promptTokens: 777 })).toBe(272)
    expect(quota(byToken({}, { groupRatio: 0.35, userGroupRatio: 2 }), { promptTokens: 777 })).toBe(1554)
    expect(quota(byToken({}, { groupRatio: 0 }), { promptTokens: 777 })).toBe(0)
    expect(quota(byToken({}, { groupRatio: 1, userGroupRatio: 0 }), { promptTokens: 777 })).toBe(0)
  })
})

describe('cost by call', () => {
  test('is the price whatever was used, and nothing when nothing was', () => {
    expect(quota(byCall(0.0123), { promptTokens: 1 })).toBe(6150)
    expect(quota(byCall(0.0123), { completionTokens: 1e6 })).toBe(6150)
    expect(quota(byCall(0.0123, { groupRatio: 0.35 }), { promptTokens: 1 })).toBe(2153)
    expect(quota(byCall(0.0123), {})).toBe(0)
    expect(quota(byCall(0), { promptTokens: 1 })).toBe(0)
  })
})

test('tools cost their price for each call beside the rest', () => {
  const usage = { promptTokens: 10, toolCalls: { webSearch: 3, fileSearch: 1 } }
  expect(quota(byToken({}), usage)).toBe(10 + 15_000 + 1250)
  expect(quota(byCall(0.01), usage)).toBe(5000 + 15_000 + 1250)
  expect(quota(byToken({}, { groupRatio: 0.5 }), usage)).toBe(8130)
  expect(quota(byToken({ model: 0 }), usage)).toBe(16_250)
})

// The laws of costs, over prices and usages of all kinds.

const ratio = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 0.075, 1.25, 4 / 3, 10 / 0.15, 37.5, 75),
  fc.integer({ min: 0, max: 1e6 }).map((value) => value / 1e4),
  fc.double({ min: 0, max: 100, noNaN: true }),
)
const prices = anyRatios(ratio)
const tokens = fc.oneof(fc.nat(10), fc.nat(5000), fc.nat(2 ** 30))
const usages = anyUsage(tokens)

/** A fraction of whole numbers; the reference computes with these and nothing else. */
type Fraction = readonly [bigint, bigint]
const fraction = (value: number): Fraction => {
  const [whole = '', places = ''] = value.toFixed(12).split('.')
  return [BigInt(whole + places), 10n ** BigInt(places.length)]
}
const times = (...factors: readonly Fraction[]): Fraction =>
  factors.reduce(([top, bottom], [a, b]) => [top * a, bottom * b], [1n, 1n])
const plus = (...terms: readonly Fraction[]): Fraction =>
  terms.reduce(([top, bottom], [a, b]) => [top * b + a * bottom, bottom * b], [0n, 1n])

function reference(price: PerToken, usage: Usage): number {
  if (usage.promptTokens + usage.completionTokens === 0) return 0
  const parts = partsOf(usage)
  const { model, cacheRead, cacheWrite, cacheWriteHour, image, audio, completion, audioCompletion } = price.ratios
  const weigh = (count: number, ...factors: number[]) => times(fraction(count), ...factors.map(fraction))
  const sum = plus(
    weigh(parts.plainPrompt),
    weigh(parts.cacheRead, cacheRead),
    weigh(parts.cacheWrite, cacheWrite),
    weigh(parts.cacheWriteHour, cacheWriteHour),
    weigh(parts.image, image),
    weigh(parts.audioInput, audio),
    weigh(parts.plainCompletion, completion),
    weigh(parts.audioOutput, audio, audioCompletion),
  )
  const { webSearch = 0, fileSearch = 0 } = usage.toolCalls
  const perThousand = plus(weigh(webSearch, price.tools.webSearch), weigh(fileSearch, price.tools.fileSearch))
  const tools = times(perThousand, fraction(price.quotaPerUnit), [1n, 1000n])
  const [top, bottom] = times(plus(times(sum, fraction(model)), tools), fraction(price.groupRatio))
  const rounded = Number((2n * top + bottom) / (2n * bottom))
  const isFree = fraction(model)[0] === 0n || fraction(price.groupRatio)[0] === 0n
  return Math.min(rounded === 0 && !isFree ? 1 : rounded, Number.MAX_SAFE_INTEGER)
}

test('a cost is what fractions of whole numbers say, to the unit', () => {
  fc.assert(
    fc.property(prices, ratio, usages, (some, groupRatio, usage) => {
      const price = byToken(some, { groupRatio })
      expect(costOf(price, usage).quota).toBe(reference(price, usage))
    }),
    { numRuns: 2000 },
  )
})

test('a cost is whole, not negative, and every token is billed in one part', () => {
  fc.assert(
    fc.property(prices, usages, (some, usage) => {
      const { quota, parts } = costOf(byToken(some), usage)
      expect(Number.isSafeInteger(quota) && quota >= 0).toBe(true)
      expect(Object.values(parts).every((part) => part >= 0)).toBe(true)
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(
        usage.promptTokens + usage.completionTokens,
      )
    }),
  )
})

const kinds = [
  ['promptTokens'],
  ['completionTokens'],
  ['promptTokens', 'cachedTokens'],
  ['promptTokens', 'cacheWriteTokens'],
  ['promptTokens', 'cacheWriteHourTokens'],
  ['promptTokens', 'imageTokens'],
  ['promptTokens', 'audioInputTokens'],
  ['completionTokens', 'audioOutputTokens'],
] as const

/** Usages whose parts fit into their whole, as honest upstreams report them. */
const honest = fc
  .array(fc.nat(2000), { minLength: 8, maxLength: 8 })
  .map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]) =>
    used({
      promptTokens: a + b + c + d + e + f,
      cachedTokens: b,
      cacheWriteTokens: c,
      cacheWriteHourTokens: d,
      imageTokens: e,
      audioInputTokens: f,
      completionTokens: g + h,
      audioOutputTokens: h,
    }),
  )

test('more tokens of any kind never cost less', () => {
  fc.assert(
    fc.property(prices, honest, fc.constantFrom(...kinds), fc.nat(3000), (some, usage, names, more) => {
      const price = byToken(some)
      const added: Record<string, number> = Object.fromEntries(names.map((name) => [name, usage[name] + more]))
      expect(costOf(price, { ...usage, ...added }).quota).toBeGreaterThanOrEqual(costOf(price, usage).quota)
    }),
    { numRuns: 1000 },
  )
})

describe('what a cache saved', () => {
  const saved = (price: PerToken | PerCall, some: Partial<Usage>) =>
    cacheSavedBy(price, used(some), costOf(price, used(some)))

  test.each<[string, PerToken | PerCall, Partial<Usage>, number]>([
    [
      'what was read, at the full input price',
      byToken({ cacheRead: 0.1 }),
      { promptTokens: 1000, cachedTokens: 800 },
      720,
    ],
    ['nothing without a hit', byToken({ cacheRead: 0.1 }), { promptTokens: 1000 }, 0],
    [
      'the group and the tier count',
      byToken({ cacheRead: 0.5 }, { groupRatio: 3, tierRatio: 2 }),
      { promptTokens: 10, cachedTokens: 10 },
      30,
    ],
    [
      'what was written is not taken off',
      byToken({ cacheRead: 0.1 }),
      { promptTokens: 200, cachedTokens: 100, cacheWriteTokens: 100 },
      90,
    ],
    ['nothing where reading costs more', byToken({ cacheRead: 2 }), { promptTokens: 10, cachedTokens: 10 }, 0],
    ['nothing of a free model', byToken({ model: 0 }), { promptTokens: 10, cachedTokens: 10 }, 0],
    ['nothing at a fixed price', byCall(0.1), { promptTokens: 10, cachedTokens: 10 }, 0],
    ['no more than there was to read', byToken({ cacheRead: 0 }), { promptTokens: 10, cachedTokens: 900 }, 9],
  ])('%s', (_, price, some, expected) => {
    expect(saved(price, some)).toBe(expected)
  })

  test('is the difference to the same call without a cache', () => {
    const tokens = fc.nat(1_000_000)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), tokens, tokens, (percent, promptTokens, cachedTokens) => {
        const price = byToken({ model: 1.25, cacheRead: percent / 100 }, { groupRatio: 0.7 })
        const plain = costOf(price, used({ promptTokens, completionTokens: 9 })).quota
        const some = { promptTokens, cachedTokens, completionTokens: 9 }
        expect(saved(price, some)).toBe(plain - quota(price, some))
      }),
    )
  })
})
