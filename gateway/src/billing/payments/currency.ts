/** https://docs.stripe.com/currencies#zero-decimal */
const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
/** https://docs.stripe.com/currencies#three-decimal */
const withThreeDecimals = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Returns the decimals of a currency, by its ISO 4217 code in capitals. */
export const decimalsOf = (currency: string): number =>
  withoutDecimals.has(currency) ? 0 : withThreeDecimals.has(currency) ? 3 : 2

/**
 * Returns what charged amounts must be a multiple of, in the smallest unit: card networks accept neither fractions of a krona nor the
 * third decimal of a dinar. https://docs.stripe.com/currencies
 */
export const chargeableStep = (currency: string): number =>
  currency === 'ISK' ? 100 : withThreeDecimals.has(currency) ? 10 : 1

/** Formats an amount in the smallest unit of its currency for people: "73.00". */
export function moneyText(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(digits.length - decimals)}`
  return minor < 0 ? `-${text}` : text
}

/** Parses an amount into the smallest unit; null for a text that is not an exact amount of the currency, or too large. */
export function minorOf(text: string, currency: string): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(text.trim()) ?? []
  if (whole === '') return null
  const decimals = decimalsOf(currency)
  // "73.0000" is 73.00; "73.001" is not an amount of yuan.
  if (/[1-9]/.test(fraction.slice(decimals))) return null
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}
