import {
  decimal,
  derivedFrom,
  fullPrices,
  numberOf,
  product,
  quotient,
  entryPrices,
  type FullPrices,
} from '@tollgate/contract/price-formula'
import { priceClasses, type ClassPrices, type PriceClass, type PriceEntry, type RatioClass } from '@tollgate/models'

/** Prices as ratios: the specification's view of them. 1 is 2 US dollars for a million prompt tokens. */
export interface Ratios {
  readonly model: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteHour: number
  readonly image: number
  readonly audio: number
  readonly audioCompletion: number
}

/** The same with what the specification has no option for. */
export interface VariantRatios extends Ratios {
  readonly reasoning: number
  /** The ratio of audio that is read from a cache. */
  readonly cacheReadAudio: number
  /** The ratio of images that a model draws. */
  readonly imageOut: number
}

/** An entry in the specification's terms: ratios, or dollars for a call. */
export type WirePrice =
  | { readonly kind: 'per-token'; readonly ratios: Ratios }
  | { readonly kind: 'per-call'; readonly usd: number }

export const noRatios: VariantRatios = {
  model: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  image: 0,
  audio: 0,
  audioCompletion: 0,
  reasoning: 0,
  cacheReadAudio: 0,
  imageOut: 0,
}

/** Returns an entry as the specification's clients know prices. A price of images only counts as one of calls. */
export function wirePrice(entry: PriceEntry): WirePrice {
  const { per_call, per_image, input } = entry.prices
  const usd = per_call ?? (input === undefined ? per_image : undefined)
  if (usd !== undefined) return { kind: 'per-call', usd }
  const { reasoning: _, cacheReadAudio: __, imageOut, ...ratios } = ratiosOf(fullPrices(entryPrices(entry)), entry)
  // Models that can draw mostly draw.
  const completion = Math.max(ratios.completion, imageOut)
  const { per_character } = entry.prices
  // At this ratio a character costs the same as a token.
  const model = input === undefined && per_character !== undefined ? per_character / 2 : ratios.model
  return { kind: 'per-token', ratios: { ...ratios, model, completion } }
}

/** Returns an entry with prices in place of ratios. Those that follow from others stay out: they differ in tiers and modes. */
export function entryInPrices(entry: PriceEntry): PriceEntry {
  const set = entryPrices(entry)
  const prices: Partial<Record<PriceClass, number>> = {}
  for (const name of priceClasses) {
    const price = set[name]
    if (price) prices[name] = quotient(numberOf(price), 1)
  }
  const { tiers, modes, schedules } = entry
  return {
    prices,
    ...(tiers?.length && { tiers }),
    ...(modes?.length && { modes }),
    ...(schedules?.length && { schedules }),
  }
}

/** Returns prices as ratios. Those in an entry are kept; those that follow another follow its ratio. */
export function ratiosOf(prices: FullPrices, entry: PriceEntry | null): VariantRatios {
  const number = (name: PriceClass) => numberOf(prices[name])
  const input = number('input')
  const ratio = (name: RatioClass, base = input, otherwise = 1) => {
    const own = entry?.prices[name] === undefined ? entry?.ratios?.[name] : undefined
    if (own !== undefined) return own
    return base === 0 ? otherwise : quotient(number(name), base)
  }
  return {
    model: numberOf(product(prices.input, decimal(0.5))),
    completion: ratio('output'),
    cacheRead: ratio('cache_read'),
    cacheReadAudio: ratio('cache_read_audio'),
    cacheWrite: ratio('cache_write_5m', input, 1.25),
    cacheWriteHour: ratio('cache_write_1h', input, 2),
    image: ratio('image_in'),
    audio: ratio('audio_in'),
    audioCompletion: ratio('audio_out', number('audio_in')),
    reasoning: ratio('reasoning'),
    imageOut: ratio('image_out'),
  }
}

/** Returns the prices in dollars that do not follow from others. */
export function distinctPrices(prices: FullPrices): ClassPrices {
  const found: Partial<Record<PriceClass, number>> = {}
  const derived = new Map<string, { from: PriceClass; factor: number }>(Object.entries(derivedFrom))
  for (const name of priceClasses) {
    const price = numberOf(prices[name])
    const rule = derived.get(name)
    const followed = rule ? quotient(numberOf(prices[rule.from]) * rule.factor, 1) : 0
    // The output is shown wherever anything is charged for it or for the input.
    if (price !== followed || (name === 'output' && price > 0)) found[name] = price
  }
  return found
}

/** How a model is billed. */
export type Billing = 'tokens' | 'call' | 'image' | 'second' | 'character' | 'unpriced'

/** Returns how an entry bills calls. */
export function billingOf(entry: PriceEntry | null): Billing {
  const { input, per_call, per_image, per_second, per_character } = entry?.prices ?? {}
  if (per_call !== undefined) return 'call'
  if (input !== undefined) return 'tokens'
  if (per_image !== undefined) return 'image'
  if (per_second !== undefined) return 'second'
  return per_character === undefined ? 'unpriced' : 'character'
}

/**
 * Returns what an entry charges for a typical mix, in US dollars, to compare prices by: three quarters of a million tokens of input and
 * one quarter of output; a call, an image, a second, or a million characters. Null where it charges none of these.
 */
export function typicalPrice(entry: PriceEntry | null, factor = 1): number | null {
  const billing = billingOf(entry)
  if (entry === null || billing === 'unpriced') return null
  const full = fullPrices(entryPrices(entry))
  const price = {
    tokens: () => numberOf(full.input) * 0.75 + numberOf(full.output) * 0.25,
    call: () => numberOf(full.per_call),
    image: () => numberOf(full.per_image),
    second: () => numberOf(full.per_second),
    character: () => numberOf(full.per_character),
  }[billing]()
  return quotient(price * factor, 1)
}
