import { fullPrices, numberOf, quotient, entryPrices } from '@tollgate/contract/price-formula'
import type { PriceEntry } from '@tollgate/models'

/** How a model is billed. */
export type Billing = 'tokens' | 'call' | 'image' | 'second' | 'character' | 'unpriced'

/** Returns how an entry bills calls. */
export function billingOf(entry: PriceEntry | null): Billing {
  const { input, per_call, per_image, per_second, per_character } = entry?.prices ?? {}
  if (per_call !== undefined) return 'call'
  if (input !== undefined) return 'tokens'
  if (per_image !== undefined) return 'image'
  if (per_second !== undefined) return 'second'
  return per_character === undefined ? 'unpriced' : 'character'
}

/**
 * Returns what an entry charges for a typical mix, in US dollars, to compare prices by: three quarters of a million tokens of input and
 * one quarter of output; a call, an image, a second, or a million characters. Null where it charges none of these.
 */
export function mixOf(entry: PriceEntry | null, factor = 1): number | null {
  const billing = billingOf(entry)
  if (entry === null || billing === 'unpriced') return null
  const full = fullPrices(entryPrices(entry))
  const price = {
    tokens: () => numberOf(full.input) * 0.75 + numberOf(full.output) * 0.25,
    call: () => numberOf(full.per_call),
    image: () => numberOf(full.per_image),
    second: () => numberOf(full.per_second),
    character: () => numberOf(full.per_character),
  }[billing]()
  return quotient(price * factor, 1)
}
