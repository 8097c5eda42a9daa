import {
  ratioClasses,
  toolClasses,
  type ClassPrices,
  type PriceClass,
  type PriceEntry,
  type RatioClass,
} from '@tollgate/models'

import { decimal, product, shortest, type Decimal } from '../decimal'

/** Exact prices of the classes that an entry tells, in its units. */
export type ToldPrices = { readonly [Class in PriceClass]?: Decimal }

/** An exact price for every class, in the units of a price entry. */
export type FullPrices = Readonly<Record<PriceClass, Decimal>>

/** The class that a ratio multiplies. */
export const ratioBase = (name: RatioClass): 'input' | 'audio_in' => (name === 'audio_out' ? 'audio_in' : 'input')

/** What a class costs that is not told: that of another class, times a factor. */
export const derivedFrom = {
  output: { from: 'input', factor: 1 },
  cache_read: { from: 'input', factor: 1 },
  cache_write_5m: { from: 'input', factor: 1.25 },
  cache_write_1h: { from: 'cache_write_5m', factor: 1.6 },
  image_in: { from: 'input', factor: 1 },
  image_out: { from: 'output', factor: 1 },
  audio_in: { from: 'input', factor: 1 },
  audio_out: { from: 'audio_in', factor: 1 },
  reasoning: { from: 'output', factor: 1 },
} as const satisfies Readonly<Record<RatioClass, { readonly from: PriceClass; readonly factor: number }>>

/** Returns whether an entry has a price of its own, and not only of classes beside it. */
export const isPriced = (prices: ClassPrices): boolean => isChargeable(prices) || prices.per_second !== undefined

/** Returns whether an entry says enough to charge a call. No endpoint tells seconds, so a price by the second alone does not. */
export const isChargeable = ({ input, per_call, per_image, per_character }: ClassPrices): boolean =>
  [input, per_call, per_image, per_character].some((price) => price !== undefined)

const zero = decimal(0)

/** Returns the exact prices that an entry tells as prices and as ratios. */
export function toldPrices({ prices, ratios = {} }: Pick<PriceEntry, 'prices' | 'ratios'>): ToldPrices {
  const told: Partial<Record<PriceClass, Decimal>> = exact(prices)
  for (const name of ratioClasses) {
    const ratio = ratios[name]
    if (ratio === undefined || told[name]) continue
    told[name] = shortest(product(decimal(ratio), told[ratioBase(name)] ?? told.input ?? zero))
  }
  return told
}

/** Returns prices as exact decimals. */
export const exact = (prices: ClassPrices): ToldPrices =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, decimal(price)]))

/**
 * Returns a price for every class. A class that is not told costs:
 *
 * - `output`, `cache_read`, `image_in`, `audio_in`: what `input` does;
 * - `cache_write_5m`: 1.25 times `input`; `cache_write_1h`: 1.6 times `cache_write_5m`;
 * - `image_out`, `reasoning`: what `output` does; `audio_out`: what `audio_in` does;
 * - everything else, and `input` itself: nothing.
 *
 * A price for the call takes the place of everything but tools.
 */
export function fullPrices(told: ToldPrices): FullPrices {
  if (told.per_call) {
    const tools = Object.fromEntries(toolClasses.map((name) => [name, told[name] ?? zero]))
    return { ...nothing, ...tools, per_call: told.per_call }
  }
  const full: Record<PriceClass, Decimal> = { ...nothing, ...told }
  for (const name of ratioClasses) {
    if (told[name]) continue
    const { from, factor } = derivedFrom[name]
    full[name] = factor === 1 ? full[from] : shortest(product(full[from], decimal(factor)))
  }
  return full
}

const nothing: FullPrices = {
  input: zero,
  output: zero,
  cache_read: zero,
  cache_write_5m: zero,
  cache_write_1h: zero,
  image_in: zero,
  image_out: zero,
  audio_in: zero,
  audio_out: zero,
  reasoning: zero,
  per_call: zero,
  per_second: zero,
  per_image: zero,
  per_character: zero,
  web_search: zero,
  file_search: zero,
  code_interpreter: zero,
}
