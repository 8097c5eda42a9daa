import type { Prices } from '../../lib/prices'

/** The tokens of one call. */
export interface CallTokens {
  readonly input: number
  readonly output: number
  /** Of the input. */
  readonly cached: number
}

export const usualCall: CallTokens = { input: 2000, output: 500, cached: 0 }

/** Returns what such a call costs in dollars; undefined where there is no price. */
export function costOf(prices: Prices | undefined, { input, output, cached }: CallTokens): number | undefined {
  if (!prices) return undefined
  if (prices.kind === 'call') return prices.call
  const read = Math.min(cached, input)
  return ((input - read) * prices.input + read * prices.cache + output * prices.output) / 1_000_000
}
