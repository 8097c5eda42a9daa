import { type LogDetails, readLogDetails } from '@tollgate/contract'
import { multiplied, rounded, sum, times, type Amount } from './exact'
import type { OwnLogRow } from './log-row'

/** One summand: tokens of a kind, weighed against a plain prompt token. */
interface Term {
  readonly kind:
    | 'prompt'
    | 'cached'
    | 'cacheWrite'
    | 'cacheWriteHour'
    | 'image'
    | 'audioInput'
    | 'completion'
    | 'reasoning'
    | 'imageGenerated'
    | 'audioOutput'
  readonly tokens: number
  /** All of them are multiplied; none: a plain prompt token. */
  readonly ratios: readonly number[]
}

/** Calls of a vendor's own tool, at dollars for a thousand. */
interface ToolTerm {
  readonly kind: 'webSearch' | 'fileSearch' | 'codeInterpreter'
  readonly calls: number
  readonly price: number
}

/** What a call cost and why. */
export type CostFormula = {
  readonly groupRatio: number
  /** Of the service tier and of the hours; 1: the usual ones. */
  readonly tierRatio: number
  readonly tools: readonly ToolTerm[]
  /** What it comes to, rounded as the gateway rounds. */
  readonly quota: number
  /** It came to less than the least that a call costs. */
  readonly isLeast: boolean
} & (
  | { readonly kind: 'per-call'; /** US dollars. */ readonly price: number }
  | { readonly kind: 'per-token'; readonly terms: readonly Term[]; readonly modelRatio: number }
)

type Row = Pick<OwnLogRow, 'prompt_tokens' | 'completion_tokens' | 'other'>

/**
 * The formula of a row that was charged, by the gateway's own rule: (sum of tokens x ratio) x model ratio x group ratio,
 * or price x quota per unit x group ratio, each times the ratio of the service tier; tools add price / 1000 x calls. What used no token costs nothing.
 * Undefined where the row says no prices.
 */
export function costFormula(row: Row, quotaPerUnit: number): CostFormula | undefined {
  const other = readLogDetails(row.other)
  const {
    group_ratio: groupRatio = 1,
    service_tier_ratio: modeRatio = 1,
    schedule_ratio: scheduleRatio = 1,
    model_price: price = -1,
    model_ratio: modelRatio,
  } = other
  // What goes by characters or seconds has no formula of ratios.
  if (other.prices?.per_character !== undefined || other.prices?.per_second !== undefined) return undefined
  const tierRatio = Number((modeRatio * scheduleRatio).toPrecision(12))
  const tools = toolTerms(other)
  const toolCost = tools.map((tool) => times(tool.price, tool.calls, 0.001, quotaPerUnit))
  const inGroup = (amounts: readonly Amount[]) => rounded(multiplied(multiplied(sum(amounts), groupRatio), tierRatio))
  const isUnused = row.prompt_tokens + row.completion_tokens === 0
  if (price >= 0) {
    const quota = isUnused ? 0 : inGroup([times(price, quotaPerUnit), ...toolCost])
    return { kind: 'per-call', groupRatio, tierRatio, tools, price, quota, isLeast: false }
  }
  if (modelRatio === undefined) return undefined
  const terms = tokenTerms(row, other)
  const weighed = multiplied(sum(terms.map(({ tokens, ratios }) => times(tokens, ...ratios))), modelRatio)
  const quota = isUnused ? 0 : inGroup([weighed, ...toolCost])
  const isLeast = quota === 0 && !isUnused && modelRatio > 0 && groupRatio > 0 && tierRatio > 0
  return { kind: 'per-token', groupRatio, tierRatio, tools, terms, modelRatio, quota: isLeast ? 1 : quota, isLeast }
}

function tokenTerms(row: Row, other: LogDetails): Term[] {
  const hour = other.cache_creation_tokens_1h
  const written = Math.max(0, other.cache_creation_tokens - hour)
  const apart = other.cache_tokens + other.cache_creation_tokens + other.image_output + other.audio_input
  const apartOut = other.audio_output + other.reasoning_billed + other.image_generated
  const { audio_ratio: audio = 1, audio_completion_ratio: audioCompletion = 1 } = other
  const all: Term[] = [
    { kind: 'prompt', tokens: Math.max(0, row.prompt_tokens - apart), ratios: [] },
    { kind: 'cached', tokens: other.cache_tokens, ratios: [other.cache_ratio ?? 1] },
    { kind: 'cacheWrite', tokens: written, ratios: [other.cache_creation_ratio ?? 1] },
    { kind: 'cacheWriteHour', tokens: hour, ratios: [other.cache_creation_ratio_1h ?? 1] },
    { kind: 'image', tokens: other.image_output, ratios: [other.image_ratio ?? 1] },
    { kind: 'audioInput', tokens: other.audio_input, ratios: [audio] },
    {
      kind: 'completion',
      tokens: Math.max(0, row.completion_tokens - apartOut),
      ratios: [other.completion_ratio ?? 1],
    },
    { kind: 'reasoning', tokens: other.reasoning_billed, ratios: [other.reasoning_ratio ?? 1] },
    { kind: 'imageGenerated', tokens: other.image_generated, ratios: [other.image_generation_ratio ?? 1] },
    { kind: 'audioOutput', tokens: other.audio_output, ratios: [audio, audioCompletion] },
  ]
  return all.filter(({ tokens }) => tokens > 0)
}

function toolTerms(other: LogDetails): ToolTerm[] {
  const all: ToolTerm[] = [
    { kind: 'webSearch', calls: other.web_search_call_count, price: other.web_search_price ?? 0 },
    { kind: 'fileSearch', calls: other.file_search_call_count, price: other.file_search_price ?? 0 },
    {
      kind: 'codeInterpreter',
      calls: other.code_interpreter_call_count,
      price: other.code_interpreter_price ?? 0,
    },
  ]
  return all.filter(({ calls }) => calls > 0)
}
