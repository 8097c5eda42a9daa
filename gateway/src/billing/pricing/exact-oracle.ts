import type { Amounts, Rate } from '@tollgate/contract/price-formula'
import {
  priceClasses,
  ratioClasses,
  type ClassPrices,
  type PriceClass,
  type PriceEntry,
  type PriceSchedule,
  type PriceTier,
} from '@tollgate/models'

/*
 * The cost of a call, computed in fractions only for tests, from docs/billing.md rather than from the code.
 */

type Fraction = readonly [over: bigint, under: bigint]

const one: Fraction = [1n, 1n]
const isTool = (name: PriceClass) =>
  ['web_search', 'file_search', 'code_interpreter', 'image_generation'].includes(name)
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]

/** Parses a number as it is written, which must be without an exponent. */
function fraction(value: number): Fraction {
  const [whole = '', decimals = ''] = String(value).split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

type Fractions = { readonly [Class in PriceClass]?: Fraction }

const fractions = (prices: ClassPrices): Fractions =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, fraction(price)]))

/** Returns the price of a class: its own, or that of another class times a ratio. */
function priceOf(prices: Fractions, priceClass: PriceClass): Fraction {
  const own = prices[priceClass]
  if (prices.per_call !== undefined && !isTool(priceClass) && priceClass !== 'per_call') return [0n, 1n]
  if (own !== undefined) return own
  const rule = rules[priceClass]
  return rule ? times(priceOf(prices, rule[0]), rule[1]) : [0n, 1n]
}

const rules: { readonly [Class in PriceClass]?: readonly [from: PriceClass, factor: Fraction] } = {
  output: ['input', one],
  cache_read: ['input', one],
  cache_read_audio: ['cache_read', one],
  cache_write_5m: ['input', [5n, 4n]],
  cache_write_1h: ['cache_write_5m', [8n, 5n]],
  image_in: ['input', one],
  image_out: ['output', one],
  audio_in: ['input', one],
  audio_out: ['audio_in', one],
  reasoning: ['output', one],
}

const tierFor = (tiers: readonly PriceTier[], input: number): ClassPrices =>
  tiers.toSorted((a, b) => b.above - a.above).find(({ above }) => above < input)?.prices ?? {}

/** Writes ratios as prices. */
function pricesIn({ prices, ratios = {} }: PriceEntry): Fractions {
  const found: { [Class in PriceClass]?: Fraction } = fractions(prices)
  for (const name of ratioClasses) {
    const ratio = ratios[name]
    if (ratio === undefined || prices[name] !== undefined) continue
    const base = name === 'audio_out' ? (found.audio_in ?? found.input) : found.input
    found[name] = times(fraction(ratio), base ?? [0n, 1n])
  }
  return found
}

export interface OracleCall {
  readonly entry: PriceEntry
  readonly input: number
  readonly amounts: Amounts
  /** The names of the modes that apply. */
  readonly modes: readonly string[]
  readonly schedule: PriceSchedule | null
  /** `factors`: of the group. */
  readonly rate: Rate
}

/** Returns the quota of a call. */
export function oracleCost({ entry, input, amounts, modes, schedule, rate }: OracleCall): number {
  const applied = (entry.modes ?? []).filter(({ name }) => modes.includes(name))
  const layers = [tierFor(entry.tiers ?? [], input)]
  for (const mode of applied) layers.push(mode.prices ?? {}, tierFor(mode.tiers ?? [], input))
  const prices: Fractions = Object.assign({}, pricesIn(entry), ...layers.map(fractions))
  const factors = [...applied.map((mode) => mode.factor ?? 1), schedule?.factor ?? 1, ...rate.factors].map(fraction)
  const all = (cost: Fraction) => factors.reduce(times, cost)
  let sum: Fraction = [0n, 1n]
  let isFree = true
  for (const priceClass of priceClasses) {
    const one = all(times(priceOf(prices, priceClass), quotaOf(priceClass, rate.quotaPerUnit)))
    if (one[0] > 0n && !priceClass.startsWith('per_') && !isTool(priceClass)) isFree = false
    sum = plus(sum, times(one, fraction(amounts[priceClass])))
  }
  const [over, under] = sum
  const whole = over / under
  const isHalf = (over - whole * under) * 2n >= under
  const quota = isHalf ? whole + 1n : whole
  return quota === 0n && !isFree ? 1 : Number(quota)
}

/** Returns the quota of one US dollar's worth of a class's unit. */
function quotaOf(priceClass: PriceClass, quotaPerUnit: number): Fraction {
  const unit = fraction(quotaPerUnit)
  if (isTool(priceClass)) return times(unit, [1n, 1000n])
  if (priceClass === 'per_character') return times(unit, [1n, 1_000_000n])
  return priceClass.startsWith('per_') ? unit : [500_000n, 1_000_000n]
}
