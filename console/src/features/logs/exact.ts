/** Whole numbers that stand for decimals: sums of money are compared to the unit, so nothing may be rounded on the way. */

const places = 12
const one = 10n ** BigInt(places)

/** A number as the decimal it is written as, in units of 10^-12. It lies within ±10^15. */
function exact(value: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(places).split('.')
  return BigInt(whole + fraction)
}

/** An amount and the powers of 10^12 it was multiplied with. */
export interface Amount {
  readonly value: bigint
  readonly powers: number
}

export const times = (...factors: readonly number[]): Amount => ({
  value: factors.reduce((product, factor) => product * exact(factor), 1n),
  powers: factors.length,
})

export function sum(amounts: readonly Amount[]): Amount {
  const powers = Math.max(0, ...amounts.map((amount) => amount.powers))
  const value = amounts.reduce((total, amount) => total + amount.value * one ** BigInt(powers - amount.powers), 0n)
  return { value, powers }
}

export const multiplied = (amount: Amount, by: number): Amount => ({
  value: amount.value * exact(by),
  powers: amount.powers + 1,
})

/** To the nearest whole number, halves up, and no further than numbers are exact. Not for negative amounts. */
export function rounded({ value, powers }: Amount): number {
  const scale = one ** BigInt(powers)
  const whole = (2n * value + scale) / (2n * scale)
  return whole > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(whole)
}
