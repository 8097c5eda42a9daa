const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const withThreeDecimals = 'BHD JOD KWD OMR TND'.split(' ')
/** Two decimals in the API, both of which must be 0. */
const wholeWithTwoDecimals = ['ISK']

/** Returns the digits after the point that the integers of Stripe's API stand for. https://docs.stripe.com/currencies */
export function stripeDigits(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0
  return withThreeDecimals.includes(currency) ? 3 : 2
}

/** Returns what amounts in this currency have to be a multiple of, in its minor units. */
function stepOf(currency: string): number {
  if (wholeWithTwoDecimals.includes(currency)) return 100
  return withThreeDecimals.includes(currency) ? 10 : 1
}

/** Returns the smallest amount in minor units that Stripe can charge and that is not below the given one. */
export function chargeableAmount(minorUnits: number, currency: string): number {
  const step = stepOf(currency)
  return Math.ceil(minorUnits / step) * step
}
