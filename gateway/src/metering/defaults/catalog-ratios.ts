import { catalogPriceOf, familyPriceOf, type ClassPrices } from '@tollgate/models'

import type { Ratios } from '../price'

/** 1 is 2 US dollars for a million tokens. */
const dollarsOfOne = 2

/** Rounds away what a division of decimals leaves behind: 1.2 / 0.4 is 3. */
const quotient = (price: number, by: number): number => Number((price / by).toPrecision(12))

/** The model ratio of the vendor's price; undefined when the catalog has none by tokens or characters. */
export function catalogModelRatio(model: string): number | undefined {
  const prices = catalogPriceOf(model)?.prices
  const price = prices?.input ?? prices?.per_character
  return price === undefined ? undefined : quotient(price, dollarsOfOne)
}

/** US dollars for one call or one picture, of models that are sold so. */
export function catalogCallPrice(model: string): number | undefined {
  const prices = catalogPriceOf(model)?.prices
  if (!prices || catalogModelRatio(model) !== undefined) return undefined
  return prices.per_call ?? prices.per_image
}

/** The ratios of the other classes, as far as the vendor lists a price of its own for them. */
export type ClassRatios = Partial<Omit<Ratios, 'model'>>

export const catalogClassRatios = (model: string): ClassRatios => classRatios(catalogPriceOf(model)?.prices)

/** Those of the closest relative, for a model that is not listed itself. */
export const familyClassRatios = (model: string): ClassRatios =>
  catalogPriceOf(model) || model.includes('/') ? {} : classRatios(familyPriceOf(model)?.prices)

function classRatios(prices: ClassPrices | undefined): ClassRatios {
  const input = prices?.input
  if (!prices || !input) return {}
  const ratio = (price: number | undefined) => (price === undefined ? undefined : quotient(price, input))
  const { audio_in: heard, audio_out: spoken } = prices
  return {
    // Lists say 0 for what a model does not write, such as the text of an embedding.
    completion: ratio(dearest(prices.output, prices.image_out) || undefined),
    cacheRead: ratio(prices.cache_read),
    cacheWrite: ratio(prices.cache_write_5m),
    cacheWriteHour: ratio(prices.cache_write_1h),
    image: ratio(prices.image_in),
    audio: ratio(heard ?? spoken),
    audioCompletion: heard && spoken ? quotient(spoken, heard) : undefined,
  }
}

/** Pictures are not told from text in the tokens of an answer, and models that draw mostly draw. */
const dearest = (output: number | undefined, picture: number | undefined): number | undefined =>
  picture === undefined ? output : Math.max(output ?? 0, picture)
