/** An exact decimal: `digits` divided by ten to the power of `places`. */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

const maxPlaces = 12

/** Returns the decimal that a number stands for, to twelve places: 0.1 is one tenth. */
export function decimal(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), places: 0 }
  // Beyond this every number is whole, and is not written in digits.
  if (Math.abs(value) >= 1e21) return { digits: BigInt(value), places: 0 }
  const [whole = '0', fraction = ''] = inDigits(value).split('.')
  const significant = fraction.replace(/0+$/, '')
  return { digits: BigInt(whole + significant), places: significant.length }
}

/** More digits than those by which a number is told from its neighbours are noise. */
function inDigits(value: number): string {
  const text = String(value)
  const isLonger = text.includes('e') || text.length - 1 - text.indexOf('.') > maxPlaces
  return isLonger ? value.toFixed(maxPlaces) : text
}

/** Returns the exact product. */
export function product(...factors: readonly Decimal[]): Decimal {
  let digits = 1n
  let places = 0
  for (const factor of factors) {
    digits *= factor.digits
    places += factor.places
  }
  return { digits, places }
}

/** Returns the same decimal with as few places as possible. */
export function trimZeros({ digits, places }: Decimal): Decimal {
  let [short, left] = [digits, places]
  while (left > 0 && short % 10n === 0n) {
    short /= 10n
    left -= 1
  }
  return { digits: short, places: left }
}

/** Returns the number nearest to a decimal. */
export const numberOf = ({ digits, places }: Decimal): number => Number(`${digits}e-${places}`)

/** Returns the digits of a decimal written with this many places, which must be at least its own. */
export const digitsAt = ({ digits, places }: Decimal, targetPlaces: number): bigint =>
  digits * 10n ** BigInt(targetPlaces - places)

/** Returns the whole number nearest to `value / scale`; halves are rounded up. Neither may be negative. */
export const divideRounded = (value: bigint, scale: bigint): bigint => (2n * value + scale) / (2n * scale)

/** Returns a quotient without the noise of binary fractions: 1.2 / 0.4 is 3. */
export const quotient = (value: number, by: number): number => Number((value / by).toPrecision(12))
