/** Dollars to three digits, as the specification shows prices; more where those would say nothing. */
export function priceText(dollars: number): string {
  const isTiny = dollars > 0 && dollars < 0.0005
  return `$${(isTiny ? twoSignificant : threeDigits).format(dollars)}`
}

/** Dollars with every digit that a price has, at least two: $0.0028. */
export const exactPriceText = (dollars: number): string => `$${allDigits.format(dollars)}`

const threeDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
const twoSignificant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const allDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })
