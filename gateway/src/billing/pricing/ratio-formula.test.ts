import { expect, test } from 'bun:test'

import { noUsage, type Usage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { anyRatios, anyUsage, aPrice, entryOfRatios } from '../../../test/prices'
import { noUnits } from './amounts'
import { computeCharge } from './charge'
import type { CallTerms } from './price'
import type { Ratios } from './price-view'

/*
 * The formula of ratios that the specification publishes, in fractions: (plain + cache read x kr + cache write x ckr + hour x hr
 * + image x ir + audio in x AR + completion x CR + audio out x AR x ACR) x MR x GR; at least 1 where anything was used and neither MR
 * nor GR is zero. By call: P x QPU x GR. Tools add price / 1000 x calls x QPU x GR. An entry of ratios only charges exactly
 * that.
 */

const tools = { web_search: 10, file_search: 2.5 }
const pin = (ratios: Ratios, groupRatio: number): CallTerms => ({
  price: aPrice(entryOfRatios(ratios, tools), { groupRatio }),
  schedule: null,
  requested: {},
  units: noUnits,
})
const quota = (ratios: Ratios, usage: Usage, groupRatio = 1) => computeCharge(pin(ratios, groupRatio), usage).quota

const ratio = fc.oneof(
  fc.constantFrom(0, 1, 0.5, 0.075, 1.25, 37.5, 75),
  fc.integer({ min: 0, max: 1e6 }).map((value) => value / 1e4),
)
const prices = anyRatios(ratio)
const tokens = fc.oneof(fc.nat(10), fc.nat(5000), fc.nat(2 ** 30))
const usages = anyUsage(tokens)

/** A fraction of integers; the reference computes with these and nothing else. */
type Fraction = readonly [bigint, bigint]
const fraction = (value: number): Fraction => {
  const [whole = '', places = ''] = value.toFixed(12).split('.')
  return [BigInt(whole + places), 10n ** BigInt(places.length)]
}
const times = (...factors: readonly Fraction[]): Fraction =>
  factors.reduce(([top, bottom], [a, b]) => [top * a, bottom * b], [1n, 1n])
const plus = (...terms: readonly Fraction[]): Fraction =>
  terms.reduce(([top, bottom], [a, b]) => [top * b + a * bottom, bottom * b], [0n, 1n])

function reference(ratios: Ratios, groupRatio: number, usage: Usage): number {
  if (usage.promptTokens + usage.completionTokens === 0) return 0
  const parts = partsOf(usage)
  const { model, cacheRead, cacheWrite, cacheWriteHour, image, audio, completion, audioCompletion } = ratios
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
  const perThousand = plus(weigh(webSearch, tools.web_search), weigh(fileSearch, tools.file_search))
  const called = times(perThousand, fraction(500_000), [1n, 1000n])
  const [top, bottom] = times(plus(times(sum, fraction(model)), called), fraction(groupRatio))
  const rounded = Number((2n * top + bottom) / (2n * bottom))
  const isFree = fraction(model)[0] === 0n || fraction(groupRatio)[0] === 0n
  return Math.min(rounded === 0 && !isFree ? 1 : rounded, Number.MAX_SAFE_INTEGER)
}

/** Parts that add up to more than their whole are cut in the order in which they are listed here. */
function partsOf(usage: Usage) {
  let left = usage.promptTokens
  const take = (requested: number) => {
    const taken = Math.min(requested, left)
    left -= taken
    return taken
  }
  const cacheRead = take(usage.cachedTokens)
  const cacheWrite = take(usage.cacheWriteTokens)
  const cacheWriteHour = take(usage.cacheWriteHourTokens)
  const image = take(usage.imageTokens)
  const audioInput = take(usage.audioInputTokens)
  const audioOutput = Math.min(usage.audioOutputTokens, usage.completionTokens)
  const plainCompletion = usage.completionTokens - audioOutput
  return { plainPrompt: left, cacheRead, cacheWrite, cacheWriteHour, image, audioInput, plainCompletion, audioOutput }
}

test('an entry of ratios charges what the formula of ratios says, to the unit', () => {
  fc.assert(
    fc.property(prices, ratio, usages, (ratios, groupRatio, usage) => {
      expect(quota(ratios, usage, groupRatio)).toBe(reference(ratios, groupRatio, usage))
    }),
    { numRuns: 1000 },
  )
})

const one: Ratios = {
  model: 1,
  completion: 1,
  cacheRead: 1,
  cacheWrite: 1.25,
  cacheWriteHour: 2,
  image: 1,
  audio: 1,
  audioCompletion: 1,
}

test.each<[string, Partial<Ratios>, Partial<Usage>, number]>([
  ['half of a unit', { model: 0.5 }, { promptTokens: 1 }, 1],
  ['just below half of a unit', { model: 0.1 }, { promptTokens: 14 }, 1],
  ['a tenth is a tenth', { model: 0.1 }, { promptTokens: 3_000_000 }, 300_000],
  ['next to nothing', { model: 1e-9 }, { promptTokens: 1 }, 1],
  ['a free model', { model: 0 }, { promptTokens: 5000, completionTokens: 5000 }, 0],
  ['nothing used', { model: 5 }, {}, 0],
  ['all the ways in, more than there is', { cacheRead: 0.5 }, { promptTokens: 10, cachedTokens: 8, imageTokens: 8 }, 6],
  ['a third, to twelve places', { completion: 4 / 3 }, { completionTokens: 3_000_000 }, 4_000_000],
  ['beyond what numbers hold', { model: 9e8 }, { promptTokens: 2 ** 30 }, Number.MAX_SAFE_INTEGER],
  ['tools beside tokens', {}, { promptTokens: 10, toolCalls: { webSearch: 3, fileSearch: 1 } }, 10 + 15_000 + 1250],
])('%s', (_name, some, usage, expected) => {
  expect(quota({ ...one, ...some }, { ...noUsage, ...usage })).toBe(expected)
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
  .map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]) => ({
    ...noUsage,
    promptTokens: a + b + c + d + e + f,
    cachedTokens: b,
    cacheWriteTokens: c,
    cacheWriteHourTokens: d,
    imageTokens: e,
    audioInputTokens: f,
    completionTokens: g + h,
    audioOutputTokens: h,
  }))

test('more tokens of any kind never cost less', () => {
  fc.assert(
    fc.property(prices, honest, fc.constantFrom(...kinds), fc.nat(3000), (ratios, usage, names, more) => {
      const added: Record<string, number> = Object.fromEntries(names.map((name) => [name, usage[name] + more]))
      expect(quota(ratios, { ...usage, ...added })).toBeGreaterThanOrEqual(quota(ratios, usage))
    }),
    { numRuns: 300 },
  )
})
