import type { ToolCalls, Usage } from '@tollgate/dialects'

import { decimal, digitsAt, product, rounded, type Decimal } from './decimal'
import { commonFactors, type PerToken, type Price, type Ratios } from './price'

/** How a usage is billed: every token in exactly one part. */
export interface CostParts {
  /** Prompt tokens that are nothing of the following. */
  readonly plainPrompt: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cacheWriteHour: number
  readonly image: number
  readonly audioInput: number
  /** Completion tokens that are not audio. */
  readonly plainCompletion: number
  readonly audioOutput: number
}

export interface Cost {
  /** A whole number of at least 0. */
  readonly quota: number
  readonly parts: CostParts
}

/**
 * What a usage costs, to the unit: computed in exact decimals, rounded once, halves up.
 *
 * By tokens: (plain + cache read x kr + cache write x ckr + hour x hr + image x ir + audio in x AR + plain completion x CR
 * + audio out x AR x ACR) x MR x GR; at least 1 where anything was used and neither MR nor GR is zero. By call: P x QPU x GR.
 * Tool calls add price / 1000 x calls x QPU x GR. A service tier's ratio multiplies all of it. A call that used nothing costs nothing.
 */
export function costOf(price: Price, usage: Usage): Cost {
  const parts = partsOf(usage)
  const isUnused = usage.promptTokens + usage.completionTokens === 0
  if (isUnused) return { quota: 0, parts }
  if (price.kind === 'per-call') return { quota: callQuota(price, price.usd, usage.toolCalls), parts }
  return { quota: tokenQuota(price, parts, usage.toolCalls), parts }
}

/**
 * Returns the quota saved by reading tokens from a cache instead of paying for plain prompt tokens. The cost of writing to the
 * cache is not subtracted; 0 where reading costs more.
 */
export function cacheSavedBy(price: Price, usage: Usage, { quota, parts }: Cost): number {
  if (parts.cacheRead === 0 || price.kind === 'per-call') return 0
  const atFullPrice = { ...parts, plainPrompt: parts.plainPrompt + parts.cacheRead, cacheRead: 0 }
  return Math.max(0, tokenQuota(price, atFullPrice, usage.toolCalls) - quota)
}

/** Split a usage. Parts that add up to more than their whole are cut, in this order, so that none is negative. */
export function partsOf(usage: Usage): CostParts {
  let prompt = usage.promptTokens
  const cacheRead = Math.min(usage.cachedTokens, prompt)
  prompt -= cacheRead
  const cacheWrite = Math.min(usage.cacheWriteTokens, prompt)
  prompt -= cacheWrite
  const cacheWriteHour = Math.min(usage.cacheWriteHourTokens, prompt)
  prompt -= cacheWriteHour
  const image = Math.min(usage.imageTokens, prompt)
  prompt -= image
  const audioInput = Math.min(usage.audioInputTokens, prompt)
  const audioOutput = Math.min(usage.audioOutputTokens, usage.completionTokens)
  return {
    plainPrompt: prompt - audioInput,
    cacheRead,
    cacheWrite,
    cacheWriteHour,
    image,
    audioInput,
    plainCompletion: usage.completionTokens - audioOutput,
    audioOutput,
  }
}

/** What one token of each part costs: `weights` divided by `scale`. */
interface Weights {
  readonly exact: readonly bigint[]
  readonly scale: bigint
  /** The same as plain numbers, where they are exact. By name, because looping over a list is slower. */
  readonly fast: CostParts | null
  readonly fastScale: number
  readonly isFree: boolean
}

const amounts = (parts: CostParts): readonly number[] => [
  parts.plainPrompt,
  parts.cacheRead,
  parts.cacheWrite,
  parts.cacheWriteHour,
  parts.image,
  parts.audioInput,
  parts.plainCompletion,
  parts.audioOutput,
]

/** The reverse of `amounts`. */
function partsFrom(amounts: readonly number[]): CostParts {
  const [plainPrompt = 0, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0, image = 0, ...others] = amounts
  const [audioInput = 0, plainCompletion = 0, audioOutput = 0] = others
  return { plainPrompt, cacheRead, cacheWrite, cacheWriteHour, image, audioInput, plainCompletion, audioOutput }
}

/** In the order of `amounts`. */
const factors = (ratios: Ratios): readonly (readonly number[])[] => [
  [],
  [ratios.cacheRead],
  [ratios.cacheWrite],
  [ratios.cacheWriteHour],
  [ratios.image],
  [ratios.audio],
  [ratios.completion],
  [ratios.audio, ratios.audioCompletion],
]

/** Prices are pinned objects that many calls share, so their weights are computed once. */
const known = new WeakMap<PerToken, Weights>()

function weightsOf(price: PerToken): Weights {
  const found = known.get(price)
  if (found) return found
  const base = product(decimal(price.ratios.model), ...commonFactors(price).map(decimal))
  const each = factors(price.ratios).map((list) => product(base, ...list.map(decimal)))
  const places = Math.max(...each.map((weight) => weight.places))
  const exact = each.map((weight) => digitsAt(weight, places))
  const scale = 10n ** BigInt(places)
  const isSmall = [scale, ...exact].every((value) => value <= BigInt(Number.MAX_SAFE_INTEGER) / 2n)
  const weights: Weights = {
    exact,
    scale,
    fast: isSmall ? partsFrom(exact.map(Number)) : null,
    fastScale: Number(scale),
    isFree: base.digits === 0n,
  }
  known.set(price, weights)
  return weights
}

function tokenQuota(price: PerToken, parts: CostParts, toolCalls: ToolCalls): number {
  const weights = weightsOf(price)
  const tools = toolCost(price, toolCalls)
  const quota = (tools === null ? fastQuota(weights, parts) : null) ?? exactQuota(weights, parts, tools)
  return quota === 0 && !weights.isFree ? 1 : quota
}

/** The quota in plain numbers; null when a sum would leave the range where they are exact. */
function fastQuota({ fast, fastScale }: Weights, parts: CostParts): number | null {
  if (fast === null) return null
  const sum =
    parts.plainPrompt * fast.plainPrompt +
    parts.cacheRead * fast.cacheRead +
    parts.cacheWrite * fast.cacheWrite +
    parts.cacheWriteHour * fast.cacheWriteHour +
    parts.image * fast.image +
    parts.audioInput * fast.audioInput +
    parts.plainCompletion * fast.plainCompletion +
    parts.audioOutput * fast.audioOutput
  // No part is negative, so a sum within the range had all its parts in it.
  if (sum > Number.MAX_SAFE_INTEGER) return null
  const rest = sum % fastScale
  const whole = (sum - rest) / fastScale
  return rest * 2 >= fastScale ? whole + 1 : whole
}

function exactQuota({ exact, scale }: Weights, parts: CostParts, tools: Decimal | null): number {
  let sum = 0n
  let place = 0
  for (const amount of amounts(parts)) sum += BigInt(amount) * (exact[place++] ?? 0n)
  if (tools === null) return toQuota(rounded(sum, scale))
  const toolScale = 10n ** BigInt(tools.places)
  return toQuota(rounded(sum * toolScale + tools.digits * scale, scale * toolScale))
}

/** What a fixed price costs, with the tools it called. */
function callQuota(price: Price, usd: number, toolCalls: ToolCalls): number {
  const call = product(decimal(usd), decimal(price.quotaPerUnit), ...commonFactors(price).map(decimal))
  const tools = toolCost(price, toolCalls) ?? { digits: 0n, places: 0 }
  const places = Math.max(call.places, tools.places)
  return toQuota(rounded(digitsAt(call, places) + digitsAt(tools, places), 10n ** BigInt(places)))
}

/** Null when no tool was called. */
function toolCost(price: Price, { webSearch = 0, fileSearch = 0 }: ToolCalls): Decimal | null {
  if (webSearch === 0 && fileSearch === 0) return null
  const searches = product(decimal(price.tools.webSearch), decimal(webSearch))
  const files = product(decimal(price.tools.fileSearch), decimal(fileSearch))
  const places = Math.max(searches.places, files.places)
  const perThousand = { digits: digitsAt(searches, places) + digitsAt(files, places), places: places + 3 }
  return product(perThousand, decimal(price.quotaPerUnit), ...commonFactors(price).map(decimal))
}

/** No sum of money is larger than what a number holds exactly. */
const toQuota = (value: bigint): number =>
  value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
