/** An exact decimal: `digits` divided by ten to the power of `places`. */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

const mostPlaces = 12

/** A number as the decimal it stands for, with at most twelve places: 0.1 is one tenth. */
export function decimal(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), places: 0 }
  const [whole = '0', fraction = ''] = value.toFixed(mostPlaces).split('.')
  const significant = fraction.replace(/0+$/, '')
  return { digits: BigInt(whole + significant), places: significant.length }
}

/** The exact product. */
export function product(...factors: readonly Decimal[]): Decimal {
  let digits = 1n
  let places = 0
  for (const factor of factors) {
    digits *= factor.digits
    places += factor.places
  }
  return { digits, places }
}

/** The same decimal with as few places as it needs. */
export function shortest({ digits, places }: Decimal): Decimal {
  let [short, left] = [digits, places]
  while (left > 0 && short % 10n === 0n) {
    short /= 10n
    left -= 1
  }
  return { digits: short, places: left }
}

/** The nearest number that a decimal stands for. */
export const numberOf = ({ digits, places }: Decimal): number => Number(`${digits}e-${places}`)

/** The digits of a decimal written with this many places, at least its own. */
export const digitsAt = ({ digits, places }: Decimal, wanted: number): bigint => digits * 10n ** BigInt(wanted - places)

/** The nearest whole number to `value` divided by `scale`, halves away from zero. Neither is negative. */
export const rounded = (value: bigint, scale: bigint): bigint => (2n * value + scale) / (2n * scale)

/** Rounds away what a division of binary fractions leaves behind: 1.2 / 0.4 is 3. */
export const quotient = (value: number, by: number): number => Number((value / by).toPrecision(12))
