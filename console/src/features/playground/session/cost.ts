import type { pricingRoutes } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { costOf } from '../../../lib/text/price-entry/cost'
import type { Usage } from './session'

/**
 * Returns the cost of a call in US dollars by the model's price entry, as the gateway charges it. An estimate: the usage does not report
 * audio, images, tools and the service tier.
 */
export function estimatedDollars(
  { promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage,
  { entry }: Pick<pricingRoutes.PricingRow, 'entry'>,
  groupRatio: number,
): number {
  const cached = Math.min(cachedTokens, promptTokens)
  const reasoning = Math.min(reasoningTokens, completionTokens)
  const amounts = { input: promptTokens - cached, cache_read: cached, output: completionTokens - reasoning, reasoning }
  return costOf(inPrices(entry), amounts, { factor: groupRatio }).dollars
}

/** Returns completion tokens per second since the first one; undefined where that is meaningless. */
export function tokensASecond(completionTokens: number, firstTokenMs: number | undefined, tookMs: number | undefined) {
  if (tookMs === undefined || completionTokens < 1) return undefined
  const streamedMs = tookMs - (firstTokenMs ?? 0)
  // A response in one piece has no speed of its own.
  const ms = streamedMs > 20 ? streamedMs : tookMs
  return ms > 0 ? (completionTokens * 1000) / ms : undefined
}
