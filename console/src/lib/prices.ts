/** Formats dollars with three digits, as the specification does; more where those would be zero. */
export function priceText(dollars: number): string {
  const isTiny = dollars > 0 && dollars < 0.0005
  return `$${(isTiny ? twoSignificant : threeDigits).format(dollars)}`
}

/** Formats dollars with all digits, at least two: $0.0028. */
export const exactPriceText = (dollars: number): string => `$${allDigits.format(dollars)}`

const threeDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
const twoSignificant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })
const allDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 })
