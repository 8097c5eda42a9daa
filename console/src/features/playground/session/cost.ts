import { pricingRoutes } from '@tollgate/contract'

import type { Usage } from './session'

/** Tokens that cost one US dollar at a ratio of 1. */
const tokensToADollar = 500_000

type Price = Pick<
  pricingRoutes.PricingRow,
  'quota_type' | 'model_ratio' | 'completion_ratio' | 'cache_ratio' | 'model_price'
>

/**
 * What a call costs in US dollars by the price list: group ratio x model ratio x (prompt + completion x completion ratio)
 * / 500,000, or the price of a call. An estimate: what else the gateway bills (sound, pictures, tools) is not in the list.
 */
export function estimatedDollars(usage: Usage, price: Price, groupRatio: number): number {
  if (price.quota_type === pricingRoutes.quotaType.call) return price.model_price * groupRatio
  const cached = Math.min(usage.cachedTokens, usage.promptTokens)
  const weighed =
    usage.promptTokens - cached + cached * price.cache_ratio + usage.completionTokens * price.completion_ratio
  return (groupRatio * price.model_ratio * weighed) / tokensToADollar
}

/** Completion tokens a second, from the first one on; undefined where that says nothing. */
export function tokensASecond(completionTokens: number, firstTokenMs: number | undefined, tookMs: number | undefined) {
  if (tookMs === undefined || completionTokens < 1) return undefined
  const streamedMs = tookMs - (firstTokenMs ?? 0)
  // An answer that came in one piece has no pace of its own.
  const ms = streamedMs > 20 ? streamedMs : tookMs
  return ms > 0 ? (completionTokens * 1000) / ms : undefined
}
