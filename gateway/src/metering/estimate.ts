import { noUsage } from '@tollgate/dialects'

import { costOf } from './cost'
import { groupFactor, type Price } from './price'

/**
 * The quota to hold before a call: what its prompt and all the output it may have would cost.
 * Without a limit on the output nobody knows, so `preConsumedQuota` prompt tokens are held, or the prompt where that is more.
 * `maxOutputTokens` is for all the choices together. A free model holds nothing.
 */
export function estimateQuota(
  price: Price,
  promptTokens: number,
  maxOutputTokens: number | null,
  preConsumedQuota: number,
): number {
  if (isFree(price)) return 0
  const usage =
    maxOutputTokens === null
      ? { ...noUsage, promptTokens: Math.max(promptTokens, preConsumedQuota, 1) }
      : { ...noUsage, promptTokens: Math.max(promptTokens, 1), completionTokens: maxOutputTokens }
  return costOf(price, usage).quota
}

/** Whether calls at this price cost nothing whatever they use, but for tools. */
export const isFree = (price: Price): boolean =>
  groupFactor(price) === 0 || (price.kind === 'per-call' ? price.usd : price.ratios.model) === 0
