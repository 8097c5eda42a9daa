import type { LogOtherWritten } from '@tollgate/contract'
import type { UnreportedPart, Usage } from '@tollgate/dialects'

import type { CostParts } from './cost'
import type { CappedCounts } from './meter'
import { groupFactor, type Price, type Ratios } from './price'

/** What a consumption row tells beside its columns. */
export interface LogDetails {
  readonly price: Price
  readonly usage: Usage
  readonly parts: CostParts
  /** Null when no answer came. */
  readonly firstTokenMs: number | null
  /** How the caller asked and how long the call took. */
  readonly call?: Pick<LogOtherWritten, 'use_time_ms' | 'dialect' | 'endpoint'>
  /** The totals that were counted here. */
  readonly estimated?: UnreportedPart
  /** What the upstream reported and cannot be true. */
  readonly capped?: CappedCounts
  /** The upstream spoke Anthropic's dialect. */
  readonly isAnthropic?: boolean
  /** The upstream's name of the model, when it was mapped. */
  readonly upstreamModel?: string
  readonly reasoningEffort?: string
  /** The channel's, when it was put into the request. */
  readonly systemPrompt?: string
  /** What the request said that could not be told the upstream in its dialect. */
  readonly warnings?: readonly string[]
  /** Removed before anyone but an administrator reads it. */
  readonly adminInfo: LogOtherWritten['admin_info']
  /** The limit that each answer was given because the balance could not pay a longer one. */
  readonly maxTokens?: number | null
  /** The call ended before its answer did. */
  readonly ending?: string
}

/** The JSON text of a consumption row's `other`, with the keys of the specification. What is undefined is not written. */
export function logOther(details: LogDetails): string {
  const { price, usage, parts, call, estimated, upstreamModel, warnings } = details
  const ratios = price.kind === 'per-token' ? price.ratios : noRatios
  const written: LogOtherWritten = {
    frt: details.firstTokenMs ?? neverMs,
    use_time_ms: call?.use_time_ms,
    dialect: call?.dialect,
    endpoint: call?.endpoint,
    model_ratio: ratios.model,
    group_ratio: groupFactor(price),
    completion_ratio: ratios.completion,
    cache_tokens: parts.cacheRead,
    cache_ratio: ratios.cacheRead,
    model_price: price.kind === 'per-call' ? price.usd : -1,
    user_group_ratio: price.userGroupRatio ?? -1,
    claude: details.isAnthropic || undefined,
    service_tier_ratio: price.tierRatio,
    estimated: estimated === undefined ? undefined : true,
    usage_estimated: estimated,
    usage_capped: details.capped,
    price_assumed: (price.kind === 'per-token' && price.assumed) || undefined,
    is_model_mapped: upstreamModel === undefined ? undefined : true,
    upstream_model_name: upstreamModel,
    reasoning_effort: details.reasoningEffort,
    reasoning_tokens: usage.reasoningTokens || undefined,
    system_prompt: details.systemPrompt,
    dropped: warnings?.length ? warnings : undefined,
    max_tokens_lowered: details.maxTokens ?? undefined,
    ending: details.ending,
    admin_info: details.adminInfo,
  }
  if (usage.details) Object.assign(written, usage.details)
  if (parts.cacheWrite + parts.cacheWriteHour > 0) Object.assign(written, cacheWriteKeys(parts, ratios))
  if (parts.image > 0) Object.assign(written, imageKeys(parts, ratios))
  if (parts.audioInput + parts.audioOutput > 0) Object.assign(written, audioKeys(parts, ratios))
  if (hasToolCalls(usage)) Object.assign(written, toolKeys(price, usage))
  return JSON.stringify(written)
}

/** The value the console knows as "never answered". */
const neverMs = -1000

const noRatios: Ratios = {
  model: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  image: 0,
  audio: 0,
  audioCompletion: 0,
}

const cacheWriteKeys = (parts: CostParts, ratios: Ratios): LogOtherWritten => ({
  cache_creation_tokens: parts.cacheWrite + parts.cacheWriteHour,
  cache_creation_ratio: ratios.cacheWrite,
  ...(parts.cacheWriteHour > 0 && {
    cache_creation_tokens_5m: parts.cacheWrite,
    cache_creation_ratio_5m: ratios.cacheWrite,
    cache_creation_tokens_1h: parts.cacheWriteHour,
    cache_creation_ratio_1h: ratios.cacheWriteHour,
  }),
})

const imageKeys = (parts: CostParts, ratios: Ratios): LogOtherWritten => ({
  image: true,
  image_ratio: ratios.image,
  image_output: parts.image,
})

const audioKeys = (parts: CostParts, ratios: Ratios): LogOtherWritten => ({
  audio: true,
  audio_input: parts.audioInput,
  audio_output: parts.audioOutput,
  text_input: parts.plainPrompt + parts.cacheRead,
  text_output: parts.plainCompletion,
  audio_ratio: ratios.audio,
  audio_completion_ratio: ratios.audioCompletion,
})

const hasToolCalls = ({ toolCalls: { webSearch = 0, fileSearch = 0, webFetch = 0 } }: Usage): boolean =>
  webSearch + fileSearch + webFetch > 0

const toolKeys = (
  { tools }: Price,
  { toolCalls: { webSearch = 0, fileSearch = 0, webFetch = 0 } }: Usage,
): LogOtherWritten => ({
  ...(webSearch > 0 && {
    web_search: true,
    web_search_call_count: webSearch,
    web_search_price: tools.webSearch,
  }),
  ...(webFetch > 0 && { web_fetch_requests: webFetch }),
  ...(fileSearch > 0 && {
    file_search: true,
    file_search_call_count: fileSearch,
    file_search_price: tools.fileSearch,
  }),
})
