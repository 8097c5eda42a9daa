/** Formats dollars with all digits, at least three, so that prices line up: $2.500, $0.1875. */
export const priceText = (dollars: number): string => `$${threeDigits.format(dollars)}`

/** Formats dollars with all digits, at least two: $0.0028. */
export const exactPriceText = (dollars: number): string => `$${twoDigits.format(dollars)}`

const threeDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 8 })
const twoDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })

/** Returns 8K, 128K, 1M, 1.5M: the usual round number of a context window. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}K`
  return `${Math.round(tokens / 100_000) / 10}M`
}
