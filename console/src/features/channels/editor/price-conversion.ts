import { formatDecimal } from '../../../lib/format'

/** Between what people know, US dollars for a million tokens, and what is stored, ratios. Pure. */

/** Ratio 1 is two dollars for a million prompt tokens. */
const dollarsAtRatioOne = 2

/** The server keeps twelve places of a ratio. */
const ratioPlaces = 12
const pricePlaces = 8
const largest = 1e9

/** A decimal that is at least 0; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(trimmed)) return undefined
  const value = Number(trimmed)
  return value <= largest ? value : undefined
}

const roundedTo = (value: number, places: number): number => Number(value.toFixed(places))

export const ratioOfPrice = (dollarsPerMillion: number): number =>
  roundedTo(dollarsPerMillion / dollarsAtRatioOne, ratioPlaces)

export const priceOfRatio = (ratio: number): number => roundedTo(ratio * dollarsAtRatioOne, pricePlaces)

/** The output price in parts of the input price. Undefined when prompt tokens cost nothing. */
export const completionRatioOf = (ratio: number, outputPrice: number): number | undefined =>
  ratio === 0 ? undefined : roundedTo(outputPrice / (ratio * dollarsAtRatioOne), ratioPlaces)

/** A price in parts of another. Undefined when the other is nothing. */
export const ratioOver = (price: number, base: number): number | undefined =>
  base === 0 ? undefined : roundedTo(price / base, ratioPlaces)

export const outputPriceOf = (ratio: number, completionRatio: number): number =>
  roundedTo(ratio * dollarsAtRatioOne * completionRatio, pricePlaces)

/** Without an exponent and without needless zeros: what stands in a field. */
export const priceText = (price: number): string => formatDecimal(price, pricePlaces)
export const ratioText = (ratio: number): string => formatDecimal(ratio, ratioPlaces)
