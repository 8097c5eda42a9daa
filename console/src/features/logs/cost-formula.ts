import type { OwnLogRow } from './log-row'
import { readOther, type LogOther } from './log-other'

/** One summand: tokens of a kind, weighed against a plain prompt token. */
export interface Term {
  readonly kind:
    | 'prompt'
    | 'cached'
    | 'cacheWrite'
    | 'cacheWriteHour'
    | 'image'
    | 'audioInput'
    | 'completion'
    | 'audioOutput'
  readonly tokens: number
  readonly ratio: number
}

/** Calls of a vendor's own tool, at dollars for a thousand. */
export interface ToolTerm {
  readonly kind: 'webSearch' | 'fileSearch'
  readonly calls: number
  readonly price: number
}

/** What a call cost and why. */
export type CostFormula = {
  readonly groupRatio: number
  readonly tools: readonly ToolTerm[]
  /** What it comes to, rounded as the gateway rounds. */
  readonly quota: number
} & (
  | { readonly kind: 'per-call'; /** US dollars. */ readonly price: number }
  | { readonly kind: 'per-token'; readonly terms: readonly Term[]; readonly modelRatio: number }
)

type Row = Pick<OwnLogRow, 'prompt_tokens' | 'completion_tokens' | 'other'>

/**
 * The formula of a row that was charged, by the gateway's own rule: (sum of tokens x ratio) x model ratio x group ratio,
 * or price x quota per unit x group ratio; tools add price / 1000 x calls. Undefined where the row says no prices.
 */
export function costFormula(row: Row, quotaPerUnit: number): CostFormula | undefined {
  const other = readOther(row.other)
  const { group_ratio: groupRatio = 1, model_price: price = -1, model_ratio: modelRatio } = other
  const tools = toolTerms(other)
  const toolQuota = tools.reduce((sum, { calls, price }) => sum + (price / 1000) * calls * quotaPerUnit, 0)
  if (price >= 0)
    return {
      kind: 'per-call',
      groupRatio,
      tools,
      price,
      quota: halfUp((price * quotaPerUnit + toolQuota) * groupRatio),
    }
  if (modelRatio === undefined) return undefined
  const terms = tokenTerms(row, other)
  const weighed = terms.reduce((sum, { tokens, ratio }) => sum + tokens * ratio, 0) * modelRatio
  const quota = halfUp((weighed + toolQuota) * groupRatio)
  const isFree = modelRatio === 0 || groupRatio === 0
  return {
    kind: 'per-token',
    groupRatio,
    tools,
    terms,
    modelRatio,
    quota: terms.length > 0 && !isFree ? Math.max(1, quota) : quota,
  }
}

/** Decimal ratios are no exact binary numbers: 2.5 may come out as 2.4999999999999996. */
const halfUp = (value: number) => Math.floor(Number((value + 0.5).toPrecision(14)))

function tokenTerms(row: Row, other: LogOther): Term[] {
  const hour = other.cache_creation_tokens_1h
  const written = Math.max(0, other.cache_creation_tokens - hour)
  const apart = other.cache_tokens + other.cache_creation_tokens + other.image_output + other.audio_input
  const audio = other.audio_ratio ?? 1
  const all: Term[] = [
    { kind: 'prompt', tokens: Math.max(0, row.prompt_tokens - apart), ratio: 1 },
    { kind: 'cached', tokens: other.cache_tokens, ratio: other.cache_ratio ?? 1 },
    { kind: 'cacheWrite', tokens: written, ratio: other.cache_creation_ratio ?? 1 },
    { kind: 'cacheWriteHour', tokens: hour, ratio: other.cache_creation_ratio_1h ?? 1 },
    { kind: 'image', tokens: other.image_output, ratio: other.image_ratio ?? 1 },
    { kind: 'audioInput', tokens: other.audio_input, ratio: audio },
    {
      kind: 'completion',
      tokens: Math.max(0, row.completion_tokens - other.audio_output),
      ratio: other.completion_ratio ?? 1,
    },
    { kind: 'audioOutput', tokens: other.audio_output, ratio: audio * (other.audio_completion_ratio ?? 1) },
  ]
  return all.filter(({ tokens }) => tokens > 0)
}

function toolTerms(other: LogOther): ToolTerm[] {
  const all: ToolTerm[] = [
    { kind: 'webSearch', calls: other.web_search_call_count, price: other.web_search_price ?? 0 },
    { kind: 'fileSearch', calls: other.file_search_call_count, price: other.file_search_price ?? 0 },
  ]
  return all.filter(({ calls }) => calls > 0)
}
