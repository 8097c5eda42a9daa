import { noUsage } from '@tollgate/dialects'

import { costOf } from './cost'
import { commonFactors, type Price } from './price'

/**
 * Returns the quota that a prompt and this much output, all answers together, would cost. A free model costs nothing.
 */
export const estimateQuota = (price: Price, promptTokens: number, outputTokens: number): number =>
  isFree(price)
    ? 0
    : costOf(price, { ...noUsage, promptTokens: Math.max(promptTokens, 1), completionTokens: outputTokens }).quota

/** With fewer tokens no answer says anything, and some vendors refuse the call. */
const fewestOutputTokens = 16

/**
 * Returns the smallest hold of a call whose output nobody limited: that of `preConsumedQuota` prompt tokens, or of its own
 * prompt and the shortest answers where that is more.
 */
export const smallestHold = (price: Price, promptTokens: number, choices: number, preConsumedQuota: number): number =>
  Math.max(
    estimateQuota(price, preConsumedQuota, 0),
    estimateQuota(price, promptTokens, price.kind === 'per-call' ? 0 : choices * fewestOutputTokens),
  )

/** Returns how many output tokens, at most `most`, a budget pays for beside the prompt. */
export function affordableOutput(price: Price, promptTokens: number, budget: number, most: number): number {
  const isPaid = (tokens: number) => estimateQuota(price, promptTokens, tokens) <= budget
  if (isPaid(most)) return most
  let paid = 0
  let unpaid = most
  while (unpaid - paid > 1) {
    const middle = Math.floor((paid + unpaid) / 2)
    if (isPaid(middle)) paid = middle
    else unpaid = middle
  }
  return paid
}

/** Returns whether calls at this price cost nothing whatever they use, but for tools. */
export const isFree = (price: Price): boolean =>
  commonFactors(price).includes(0) || (price.kind === 'per-call' ? price.usd : price.ratios.model) === 0
