import type { PriceEntry } from '@tollgate/contract'

import type { PerToken } from '../../metering/price'

/** Ratio 1 is 2 US dollars for a million tokens. */
const dollarsOfRatio = 2

/** Returns ratios as the prices that they stand for, without the noise of binary fractions. */
export function ratioEntry({
  model,
  completion,
  cacheRead,
  cacheWrite,
  cacheWriteHour,
}: PerToken['ratios']): PriceEntry {
  const price = (...factors: readonly number[]) =>
    Number(factors.reduce((product, factor) => product * factor, model * dollarsOfRatio).toPrecision(12))
  return {
    prices: {
      input: price(),
      output: price(completion),
      cache_read: price(cacheRead),
      cache_write_5m: price(cacheWrite),
      cache_write_1h: price(cacheWriteHour),
    },
  }
}
