import type { PinnedPrice } from './price-book/charge'
import { dearestQuota, possibleVariants } from './price-book/hold'
import { asUsual, variantOf } from './price-book/variant'
import type { Price } from './price-book/price'

/** Returns the most quota that a prompt and this much output, all choices together, may cost. A free model costs nothing. */
export function estimateQuota(pinned: PinnedPrice, promptTokens: number, outputTokens: number): number {
  const { units, possible, media } = pinned
  return dearestQuota(possibleVariants(pinned, promptTokens), { promptTokens, outputTokens, units, possible, media })
}

/** With fewer tokens no response has content, and some vendors refuse the call. */
const fewestOutputTokens = 16

/**
 * Returns the smallest hold of a call whose output is not limited: that of `preConsumedQuota` prompt tokens, or of its own prompt and the
 * shortest responses where that is more.
 */
export const smallestHold = (
  pinned: PinnedPrice,
  promptTokens: number,
  choices: number,
  preConsumedQuota: number,
): number =>
  Math.max(
    estimateQuota(pinned, preConsumedQuota, 0),
    estimateQuota(pinned, promptTokens, choices * fewestOutputTokens),
  )

/** Returns how many output tokens, at most `most`, a budget pays for besides the prompt. */
export function affordableOutput(pinned: PinnedPrice, promptTokens: number, budget: number, most: number): number {
  const variants = possibleVariants(pinned, promptTokens)
  const { units, possible, media } = pinned
  const isPaid = (outputTokens: number) =>
    dearestQuota(variants, { promptTokens, outputTokens, units, possible, media }) <= budget
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

/** Returns whether calls at this price cost nothing whatever they use, except for tools. */
export const isFree = (price: Price): boolean =>
  variantOf(price, { inputTokens: 0, served: asUsual, schedule: null }).weights.isFree
