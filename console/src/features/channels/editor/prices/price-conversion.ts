import { formatDecimal } from '../../../../lib/text/format'

/** Converts between US dollars per million tokens, as displayed, and ratios, as stored. Pure. */

/** Ratio 1 is two dollars per million prompt tokens. */
const dollarsAtRatioOne = 2

/** The server keeps twelve decimal places of a ratio. */
const ratioPlaces = 12
const pricePlaces = 8
const maxValue = 1e9

/** Parses a non-negative decimal; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(trimmed)) return undefined
  const value = Number(trimmed)
  return value <= maxValue ? value : undefined
}

const roundedTo = (value: number, places: number): number => Number(value.toFixed(places))

export const ratioOfPrice = (dollarsPerMillion: number): number =>
  roundedTo(dollarsPerMillion / dollarsAtRatioOne, ratioPlaces)

export const priceOfRatio = (ratio: number): number => roundedTo(ratio * dollarsAtRatioOne, pricePlaces)

/** Returns the output price relative to the input price. Undefined when prompt tokens are free. */
export const completionRatioOf = (ratio: number, outputPrice: number): number | undefined =>
  ratio === 0 ? undefined : roundedTo(outputPrice / (ratio * dollarsAtRatioOne), ratioPlaces)

/** Returns a price relative to another. Undefined when the other is 0. */
export const ratioOver = (price: number, base: number): number | undefined =>
  base === 0 ? undefined : roundedTo(price / base, ratioPlaces)

export const outputPriceOf = (ratio: number, completionRatio: number): number =>
  roundedTo(ratio * dollarsAtRatioOne * completionRatio, pricePlaces)

/** Formats a price for a field, without an exponent or trailing zeros. */
export const priceText = (price: number): string => formatDecimal(price, pricePlaces)
export const ratioText = (ratio: number): string => formatDecimal(ratio, ratioPlaces)
