/** Rates have at most this many decimals. */
const rateSteps = 10_000

/** Returns the tax that an amount in the smallest unit includes at a rate in percent, rounded half up. */
export function includedTax(minor: number, ratePercent: number): number {
  const rate = BigInt(Math.round(ratePercent * rateSteps))
  const whole = BigInt(100 * rateSteps) + rate
  return Number((2n * BigInt(minor) * rate + whole) / (2n * whole))
}
