import { quotaOf, type Amounts } from '@tollgate/contract/price-formula'
import type { PossibleUse, PromptReach, PromptShape, Usage } from '@tollgate/dialects'
import type { PriceClass } from '@tollgate/models'

import { amountsOf } from './amounts'
import type { CallTerms, PinnedPrice, Price } from './price'
import { standardMode, type HighestPriced, type ServingMode, type Variant } from './variant'

/** Returns the most quota that a prompt and this much output, all choices together, may cost. A free model costs nothing. */
export function estimateQuota(pinned: PinnedPrice, promptTokens: number, outputTokens: number): number {
  const { units, possible, media } = pinned
  return maxQuota(possibleVariants(pinned, promptTokens), { promptTokens, outputTokens, units, possible, media })
}

/** With fewer tokens no response has content, and some vendors refuse the call. */
const minOutputTokens = 16

/**
 * Returns the smallest hold of a call whose output is not limited: that of `preConsumedQuota` prompt tokens, or of its own prompt and the
 * shortest responses where that is more.
 */
export const minHold = (pinned: PinnedPrice, promptTokens: number, choices: number, preConsumedQuota: number): number =>
  Math.max(estimateQuota(pinned, preConsumedQuota, 0), estimateQuota(pinned, promptTokens, choices * minOutputTokens))

/** Returns how many output tokens, at most `maxTokens`, a budget pays for besides the prompt. */
export function affordableOutput(pinned: PinnedPrice, promptTokens: number, budget: number, maxTokens: number): number {
  const variants = possibleVariants(pinned, promptTokens)
  const { units, possible, media } = pinned
  const isPaid = (outputTokens: number) =>
    maxQuota(variants, { promptTokens, outputTokens, units, possible, media }) <= budget
  if (isPaid(maxTokens)) return maxTokens
  let paid = 0
  let unpaid = maxTokens
  while (unpaid - paid > 1) {
    const middle = Math.floor((paid + unpaid) / 2)
    if (isPaid(middle)) paid = middle
    else unpaid = middle
  }
  return paid
}

/** How much longer a prompt can be than its estimate, which is based on the length of its text. */
const promptSlack = 2

/**
 * Returns everything that a call may be charged by: each tier that its input may reach, as requested or standard, in each region, size
 * and quality that the vendor may choose. For most models that is one.
 */
export function possibleVariants(pinned: PinnedPrice, estimated: number): readonly Variant[] {
  const { price, schedule, requested, media } = pinned
  const promptTokens = media === null ? estimated : Math.max(estimated - media.counted, 0) + media.image + media.audio
  const { tierBoundaries } = price.range
  let first = 0
  while (first < tierBoundaries.length && promptTokens > (tierBoundaries[first] ?? 0)) first += 1
  let last = first
  while (last < tierBoundaries.length && promptTokens * promptSlack > (tierBoundaries[last] ?? 0)) last += 1
  if (requested !== standardMode)
    return between(first, last).flatMap((tier) => requestedVariants(price, { tier, schedule, requested }))
  if (first === last) return price.standardChoices(first, schedule)
  return between(first, last).flatMap((tier) => price.standardChoices(tier, schedule))
}

interface RequestedTier extends Pick<CallTerms, 'schedule' | 'requested'> {
  /** How many boundaries of tiers the input is above. */
  readonly tier: number
}

/** Returns the variants of a call that requests something: each choice left to the vendor, with and without the request's tier and speed. */
function requestedVariants(price: Price, { tier, schedule, requested }: RequestedTier): readonly Variant[] {
  const inputTokens = price.inputAbove(tier)
  const { size, quality } = requested
  const image = { ...(size !== undefined && { size }), ...(quality !== undefined && { quality }) }
  const isOpen = (choice: ServingMode) =>
    (size === undefined || choice.size === undefined) && (quality === undefined || choice.quality === undefined)
  return price.range.vendorChoices
    .filter(isOpen)
    .flatMap((choice) => [
      { ...image, ...choice },
      { ...requested, ...choice },
    ])
    .map((served) => price.variantFor({ inputTokens, served, schedule }))
}

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Returns the most that a prompt and this much output, all choices together, may cost. */
export function maxQuota(variants: readonly Variant[], use: MaxUse): number {
  let max = 0
  for (const variant of variants) max = Math.max(max, quotaOf(variant.weights, maxAmounts(variant, use)))
  return max
}

/** The most that a call may use. */
export interface MaxUse extends Pick<PinnedPrice, 'units' | 'possible' | 'media'> {
  /** Estimated. */
  readonly promptTokens: number
  readonly outputTokens: number
}

/** Returns the most tokens that a prompt of this estimated length may have, with those of its images and recordings. */
export function maxPrompt({ media }: Pick<PinnedPrice, 'media'>, estimated: number): PromptTokens {
  if (media === null) return { promptTokens: Math.max(estimated, 1), imageTokens: 0, audioInputTokens: 0 }
  const { image, audio, counted } = media
  return { promptTokens: Math.max(estimated - counted, 1) + image + audio, imageTokens: image, audioInputTokens: audio }
}

type PromptTokens = Pick<Usage, 'promptTokens' | 'imageTokens' | 'audioInputTokens'>

/** All of the prompt and all of the output may be of the most expensive kind that the request permits. */
function maxAmounts({ highestPriced, weights: { exact } }: Variant, use: MaxUse): Amounts {
  const { outputTokens, units, possible } = use
  const { cacheMarks, isSpoken, tools } = possible
  const { promptTokens, imageTokens, audioInputTokens } = maxPrompt(use, use.promptTokens)
  const usage: Usage = {
    promptTokens,
    completionTokens: outputTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    imageTokens,
    audioInputTokens,
    audioOutputTokens: 0,
    reasoningTokens: 0,
    toolCalls: tools,
  }
  const amounts = amountsOf(usage, units)
  const prompt = promptClass(highestPriced, cacheMarks)
  const output = isSpoken ? highestPriced.spokenOutput : highestPriced.output
  const isPlain = prompt === 'input' && output === 'output'
  if (isPlain && use.media === null) return amounts
  const read = { ...amounts, input: 0, output: 0, [prompt]: amounts.input, [output]: outputTokens }
  if (use.media === null) return read
  // Vendors report some media only as part of the whole prompt.
  const media = (['image_in', 'audio_in'] as const).filter((name) => exact[name] < exact[prompt])
  return media.reduce((sum, name) => ({ ...sum, [name]: 0, [prompt]: sum[prompt] + amounts[name] }), read)
}

function promptClass(highestPriced: HighestPriced, marks: PossibleUse['cacheMarks']): PriceClass {
  if (marks === null) return highestPriced.prompt
  return marks === '5m' ? highestPriced.prompt5m : highestPriced.prompt1h
}

/** Returns the most that a token of output may cost; 0 where the length of a response does not change its price. */
export function outputTokenCost(variants: readonly Variant[], { isSpoken }: Pick<PossibleUse, 'isSpoken'>): number {
  const costs = variants.map(({ highestPriced, weights: { exact, scale } }) => {
    const kind = isSpoken ? highestPriced.spokenOutput : highestPriced.output
    return Number(exact[kind]) / Number(scale)
  })
  return Math.max(0, ...costs)
}

/** What a tool of the vendor puts into the prompt each time it runs: the pages it found. */
const tokensPerToolUse = 8_000

/** A request, as far as it bounds its prompt. */
interface PromptBounds {
  /** Estimated from what the body shows. */
  readonly promptTokens: number
  readonly prompt: Pick<PromptShape, 'files'>
  readonly promptReach: PromptReach
  readonly possible: Pick<PossibleUse, 'maxToolCalls'>
}

/**
 * Returns the most tokens that the prompt of a request may have, in a window of `window` tokens and with a body of `bytes` bytes; what its body
 * shows where that is all. No file has more tokens than bytes.
 */
export function maxPromptTokens(request: PromptBounds, { window, bytes }: { window: number; bytes: number }): number {
  const { promptTokens, promptReach, possible } = request
  if (promptReach === 'window') return Math.max(promptTokens, window)
  const { webSearch = 0, fileSearch = 0, codeInterpreter = 0 } = possible.maxToolCalls
  const found = (webSearch + fileSearch + codeInterpreter) * tokensPerToolUse
  const files = promptReach === 'bytes' ? bytes : 0
  if (found + files === 0) return promptTokens
  return Math.max(promptTokens, Math.min(promptTokens + found + files, window))
}
