import { readLogDetails, type LogDetails, type PriceClass } from '@tollgate/contract'
import {
  byClass,
  exact,
  fullPrices,
  quotaOf,
  entryPrices,
  weightsOf,
  type EntryPrices,
} from '@tollgate/contract/price-formula'

import type { OwnLogRow } from '../log-row'

/** One summand: tokens of a kind, weighted relative to plain prompt tokens. */
interface Term {
  readonly class: PriceClass
  readonly kind:
    | 'prompt'
    | 'cached'
    | 'cacheWrite'
    | 'cacheWriteHour'
    | 'cachedAudio'
    | 'image'
    | 'audioInput'
    | 'completion'
    | 'reasoning'
    | 'imageGenerated'
    | 'audioOutput'
  readonly tokens: number
  /** Factors of the weight; none for a plain prompt token. */
  readonly ratios: readonly number[]
}

/** Calls of a vendor's own tool, priced in dollars per thousand. */
interface ToolTerm {
  readonly class: PriceClass
  readonly kind: 'webSearch' | 'fileSearch' | 'codeInterpreter' | 'imageGeneration'
  readonly calls: number
  readonly price: number
}

/** The cost of a call and its parts. */
export type CostFormula = {
  readonly groupRatio: number
  /** Ratio of the service tier and of the hours; 1: normal. */
  readonly tierRatio: number
  readonly tools: readonly ToolTerm[]
  /** The result, rounded as the gateway rounds. */
  readonly quota: number
  /** The result was raised to the minimum cost of a call. */
  readonly isLeast: boolean
} & (
  | {
      readonly kind: 'per-call'
      /** US dollars. */
      readonly price: number
      /** How many images the price is charged for; 1 for a price per call. */
      readonly images: number
    }
  | { readonly kind: 'per-token'; readonly terms: readonly Term[]; readonly modelRatio: number }
)

type Row = Pick<OwnLogRow, 'prompt_tokens' | 'completion_tokens' | 'other'>

/**
 * Returns the formula of a charged row: (sum of tokens x ratio) x model ratio x group ratio, or price x quota per unit x group ratio, each
 * times the ratio of the service tier; tools add price / 1000 x calls. Its result is computed exactly as the gateway computes the charge.
 * Undefined where the row has no prices.
 */
export function costFormula(row: Row, quotaPerUnit: number): CostFormula | undefined {
  const details = readLogDetails(row.other)
  const { group_ratio: groupRatio = 1, service_tier_ratio: modeRatio = 1, schedule_ratio: scheduleRatio = 1 } = details
  const { model_price: price = -1, model_ratio: modelRatio, prices } = details
  // Charges by characters or seconds have no formula of ratios.
  if (prices?.per_character !== undefined || prices?.per_second !== undefined) return undefined
  const isPerCall = price >= 0
  if (!isPerCall && modelRatio === undefined) return undefined
  const images = details.image_count ?? Number(isPerCall)
  const terms = tokenTerms(row, details)
  const tools = toolTerms(details)
  const used = new Map<PriceClass, number>([
    ...terms.map(({ class: name, tokens }): [PriceClass, number] => [name, tokens]),
    ...tools.map(({ class: name, calls }): [PriceClass, number] => [name, calls]),
    ['per_call', 1],
    ['per_image', images],
  ])
  const rate = { quotaPerUnit, factors: [groupRatio, modeRatio, scheduleRatio] }
  const weights = weightsOf(fullPrices(pricesOf(details)), rate)
  const isUnused = row.prompt_tokens + row.completion_tokens + (details.image_count ?? 0) === 0
  const amounts = byClass((name) => (isUnused ? 0 : (used.get(name) ?? 0)))
  const quota = quotaOf({ ...weights, hasLeast: false }, amounts)
  const isLeast = quota === 0 && !isUnused && weights.hasLeast
  const tierRatio = Number((modeRatio * scheduleRatio).toPrecision(12))
  const common = { groupRatio, tierRatio, tools, quota: isLeast ? 1 : quota, isLeast }
  return isPerCall
    ? { ...common, kind: 'per-call', price, images: prices?.per_call === undefined ? images : 1 }
    : { ...common, kind: 'per-token', terms, modelRatio: modelRatio ?? 0 }
}

/** Returns the prices of a row. Rows of earlier releases have only ratios, or omit an output that is free. */
function pricesOf(details: LogDetails): EntryPrices {
  const { model_price: price = -1, model_ratio: model = 0, completion_ratio: completion = 1, prices } = details
  if (prices) return exact({ ...(completion === 0 && price < 0 && { output: 0 }), ...prices })
  const tools = {
    web_search: details.web_search_price ?? 0,
    file_search: details.file_search_price ?? 0,
    code_interpreter: details.code_interpreter_price ?? 0,
    image_generation: details.image_generation_price ?? 0,
  }
  if (price >= 0) return exact({ per_call: price, ...tools })
  return entryPrices({
    prices: { input: model * dollarsAtRatioOne, ...tools },
    ratios: {
      output: completion,
      cache_read: details.cache_ratio ?? 1,
      ...(details.cache_audio_ratio !== undefined && { cache_read_audio: details.cache_audio_ratio }),
      cache_write_5m: details.cache_creation_ratio ?? 1,
      cache_write_1h: details.cache_creation_ratio_1h ?? 1,
      image_in: details.image_ratio ?? 1,
      image_out: details.image_generation_ratio ?? 1,
      audio_in: details.audio_ratio ?? 1,
      audio_out: details.audio_completion_ratio ?? 1,
      reasoning: details.reasoning_ratio ?? 1,
    },
  })
}

/** US dollars per million tokens. */
const dollarsAtRatioOne = 2

function tokenTerms(row: Row, other: LogDetails): Term[] {
  const hour = other.cache_creation_tokens_1h
  const written = Math.max(0, other.cache_creation_tokens - hour)
  const cached = other.cache_tokens + other.cache_audio_tokens
  const apart = cached + other.cache_creation_tokens + other.image_output + other.audio_input
  const apartOut = other.audio_output + other.reasoning_billed + other.image_generated
  const { audio_ratio: audio = 1, audio_completion_ratio: audioCompletion = 1 } = other
  const all: Term[] = [
    { class: 'input', kind: 'prompt', tokens: Math.max(0, row.prompt_tokens - apart), ratios: [] },
    { class: 'cache_read', kind: 'cached', tokens: other.cache_tokens, ratios: [other.cache_ratio ?? 1] },
    {
      class: 'cache_read_audio',
      kind: 'cachedAudio',
      tokens: other.cache_audio_tokens,
      ratios: [other.cache_audio_ratio ?? 1],
    },
    { class: 'cache_write_5m', kind: 'cacheWrite', tokens: written, ratios: [other.cache_creation_ratio ?? 1] },
    { class: 'cache_write_1h', kind: 'cacheWriteHour', tokens: hour, ratios: [other.cache_creation_ratio_1h ?? 1] },
    { class: 'image_in', kind: 'image', tokens: other.image_output, ratios: [other.image_ratio ?? 1] },
    { class: 'audio_in', kind: 'audioInput', tokens: other.audio_input, ratios: [audio] },
    {
      class: 'output',
      kind: 'completion',
      tokens: Math.max(0, row.completion_tokens - apartOut),
      ratios: [other.completion_ratio ?? 1],
    },
    { class: 'reasoning', kind: 'reasoning', tokens: other.reasoning_billed, ratios: [other.reasoning_ratio ?? 1] },
    {
      class: 'image_out',
      kind: 'imageGenerated',
      tokens: other.image_generated,
      ratios: [other.image_generation_ratio ?? 1],
    },
    { class: 'audio_out', kind: 'audioOutput', tokens: other.audio_output, ratios: [audio, audioCompletion] },
  ]
  return all.filter(({ tokens }) => tokens > 0)
}

function toolTerms(other: LogDetails): ToolTerm[] {
  const all: ToolTerm[] = [
    { class: 'web_search', kind: 'webSearch', calls: other.web_search_call_count, price: other.web_search_price ?? 0 },
    {
      class: 'file_search',
      kind: 'fileSearch',
      calls: other.file_search_call_count,
      price: other.file_search_price ?? 0,
    },
    {
      class: 'code_interpreter',
      kind: 'codeInterpreter',
      calls: other.code_interpreter_call_count,
      price: other.code_interpreter_price ?? 0,
    },
    {
      class: 'image_generation',
      kind: 'imageGeneration',
      calls: other.image_generation_call_count,
      price: other.image_generation_price ?? 0,
    },
  ]
  return all.filter(({ calls }) => calls > 0)
}
