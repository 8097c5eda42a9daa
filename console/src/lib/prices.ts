import { pricingRoutes } from '@tollgate/contract'

type Row = pricingRoutes.PricingRow

/** What a model costs in US dollars: for a million tokens, or for a call. */
export type Prices =
  | { readonly kind: 'volume'; readonly input: number; readonly output: number; readonly cache: number }
  | { readonly kind: 'call'; readonly call: number }

/** A ratio of 1 is two US dollars for a million prompt tokens. */
export const dollarsPerRatio = 2

/** The prices of a model in a group of this ratio. */
export function pricesOf(row: Row, groupRatio: number): Prices {
  if (row.quota_type === pricingRoutes.quotaType.call) return { kind: 'call', call: row.model_price * groupRatio }
  const input = row.model_ratio * dollarsPerRatio * groupRatio
  return { kind: 'volume', input, output: input * row.completion_ratio, cache: input * row.cache_ratio }
}

/** Dollars to three digits, as the specification shows prices. */
export const priceText = (dollars: number): string => `$${threeDigits.format(dollars)}`

const threeDigits = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
