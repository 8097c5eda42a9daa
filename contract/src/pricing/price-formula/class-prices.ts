import { type PriceClass, priceClasses, type RatioClass, ratioClasses, toolClasses } from '../price-classes'
import type { ClassPrices, PriceEntry, PriceTier } from '../price-entry'
import { decimal, type Decimal, numberOf, product, trimZeros } from './decimal'

/** The exact prices that an entry sets, in its units. */
export type EntryPrices = { readonly [Class in PriceClass]?: Decimal }

/** An exact price for every class, in the units of a price entry. */
export type FullPrices = Readonly<Record<PriceClass, Decimal>>

/** Returns the class whose price a ratio multiplies. */
export const ratioBase = (name: RatioClass): 'input' | 'audio_in' => (name === 'audio_out' ? 'audio_in' : 'input')

/** The price of a class that an entry does not set: that of another class, times a factor. */
export const derivedFrom: Readonly<Record<RatioClass, { readonly from: PriceClass; readonly factor: number }>> = {
  output: { from: 'input', factor: 1 },
  cache_read: { from: 'input', factor: 1 },
  cache_read_audio: { from: 'cache_read', factor: 1 },
  cache_write_5m: { from: 'input', factor: 1.25 },
  cache_write_1h: { from: 'cache_write_5m', factor: 1.6 },
  image_in: { from: 'input', factor: 1 },
  image_out: { from: 'output', factor: 1 },
  audio_in: { from: 'input', factor: 1 },
  audio_out: { from: 'audio_in', factor: 1 },
  reasoning: { from: 'output', factor: 1 },
}

/** Returns whether an entry has a price of its own, and not only of classes beside it. */
export const isPriced = (prices: ClassPrices): boolean => isChargeable(prices) || prices.per_second !== undefined

/** Returns whether an entry says enough to charge any call: a price per second alone is one for recordings and videos. */
export const isChargeable = ({ input, per_call, per_image, per_character }: ClassPrices): boolean =>
  [input, per_call, per_image, per_character].some((price) => price !== undefined)

const zero = decimal(0)

/** Returns the exact prices that an entry sets, as prices and as ratios. */
export function entryPrices({ prices, ratios = {} }: Pick<PriceEntry, 'prices' | 'ratios'>): EntryPrices {
  const setPrices: Partial<Record<PriceClass, Decimal>> = exact(prices)
  for (const name of ratioClasses) {
    const ratio = ratios[name]
    if (ratio === undefined || setPrices[name]) continue
    setPrices[name] = trimZeros(product(decimal(ratio), baseOf(setPrices, name) ?? zero))
  }
  return setPrices
}

const baseOf = (setPrices: EntryPrices, name: RatioClass) => setPrices[ratioBase(name)] ?? setPrices.input

/** Returns an entry with prices instead of ratios; without those whose base has no price. */
export function inPrices({ ratios, ...entry }: PriceEntry): PriceEntry {
  if (!ratios) return entry
  const setPrices = entryPrices({ prices: entry.prices, ratios })
  const prices: ClassPrices = {}
  for (const name of ratioClasses) {
    const price = setPrices[name]
    if (price && baseOf(setPrices, name)) prices[name] = numberOf(price)
  }
  return { ...entry, prices: { ...prices, ...entry.prices } }
}

/** Returns prices as exact decimals. */
export const exact = (prices: ClassPrices): EntryPrices =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, decimal(price)]))

/**
 * Returns the price of a class; undefined for one that costs nothing. A class that is not set costs:
 *
 * - `output`, `cache_read`, `image_in`, `audio_in`: the price of `input`;
 * - `cache_read_audio`: the price of `cache_read`;
 * - `cache_write_5m`: 1.25 times `input`; `cache_write_1h`: 1.6 times `cache_write_5m`;
 * - `image_out`, `reasoning`: the price of `output`; `audio_out`: that of `audio_in`;
 * - everything else, and `input` itself: nothing.
 *
 * A price per call replaces everything but tools.
 */
export function classPrice(setPrices: EntryPrices, name: PriceClass): Decimal | undefined {
  if (setPrices.per_call && name !== 'per_call' && !tools.has(name)) return undefined
  const own = setPrices[name]
  const rule = rules.get(name)
  if (own || !rule) return own
  const base = classPrice(setPrices, rule.from)
  return base && (rule.factor === 1 ? base : trimZeros(product(base, decimal(rule.factor))))
}

/** Returns the price of every class. */
export const fullPrices = (setPrices: EntryPrices): FullPrices => byClass((name) => classPrice(setPrices, name) ?? zero)

const tools: ReadonlySet<PriceClass> = new Set(toolClasses)
const rules: ReadonlyMap<PriceClass, { readonly from: PriceClass; readonly factor: number }> = new Map(
  ratioClasses.map((name) => [name, derivedFrom[name]]),
)

/** Returns a value for every class. */
export function byClass<Value>(of: (name: PriceClass) => Value): Record<PriceClass, Value> {
  return Object.fromEntries(priceClasses.map((name) => [name, of(name)])) as Record<PriceClass, Value>
}

/** Returns the highest tier that the input exceeds; null below all of them. */
export function tierOf(tiers: readonly PriceTier[] = [], inputTokens: number): PriceTier | null {
  let highest: PriceTier | null = null
  for (const tier of tiers)
    if (inputTokens > tier.above && (highest === null || tier.above > highest.above)) highest = tier
  return highest
}
