import { numberOf, type Amounts } from '@tollgate/contract/price-formula'
import type { WrittenLogDetails } from '@tollgate/contract'
import type { UnreportedPart, Usage } from '@tollgate/dialects'

import type { CappedCounts } from './meter'
import type { Charge } from '../pricing/charge'
import { noRatios, type VariantRatios } from '../pricing/price-view'
import { groupFactor, type PriceFacts, type Variant } from '../pricing/variant'

/** The facts of a charged call that its log row keeps besides the columns. */
export interface ChargeFacts {
  readonly price: Omit<PriceFacts, 'modeRatio' | 'quotaPerUnit'>
  readonly usage: Usage
  /** What the charge is based on. */
  readonly charge: Pick<Charge, 'amounts' | 'variant'>
  /** Null when no response arrived. */
  readonly firstTokenMs: number | null
  /** How the call was made and how long it took. */
  readonly call?: Pick<WrittenLogDetails, 'use_time_ms' | 'dialect' | 'endpoint' | 'task_id'>
  /** The totals that the gateway counted itself. */
  readonly estimated?: UnreportedPart
  /** The implausible counts that the upstream reported. */
  readonly capped?: CappedCounts
  /** The upstream uses Anthropic's dialect. */
  readonly isAnthropic?: boolean
  /** The upstream's name for the model, when it was mapped. */
  readonly upstreamModel?: string
  readonly reasoningEffort?: string
  /** The plan that paid instead of the wallet. */
  readonly plan?: string | undefined
  /** What the call named, where another model served it, and why. */
  readonly requested?: { readonly model: string; readonly reason: string } | undefined
  /** The channel's, when it was added to the request. */
  readonly systemPrompt?: string
  /** What the request contains and the upstream's dialect cannot express. */
  readonly warnings?: readonly string[]
  /** Only for administrators. */
  readonly adminInfo: WrittenLogDetails['admin_info']
  /** The limit that each response was given because the balance could not pay for a longer one. */
  readonly maxTokens?: number | null
  /** Set when the call ended before its response did. */
  readonly ending?: string
}

/** Returns the details of a consumption row. */
export function chargeDetails(details: ChargeFacts): WrittenLogDetails {
  const { price, usage, charge, call, estimated, upstreamModel, warnings } = details
  const { amounts, variant } = charge
  const usd = callPrice(price)
  const ratios = usd === null ? variant.ratios : noRatios
  const written: WrittenLogDetails = {
    frt: details.firstTokenMs ?? neverMs,
    use_time_ms: call?.use_time_ms,
    dialect: call?.dialect,
    endpoint: call?.endpoint,
    task_id: call?.task_id,
    model_ratio: ratios.model,
    group_ratio: groupFactor(price),
    completion_ratio: ratios.completion,
    cache_tokens: amounts.cache_read,
    cache_ratio: ratios.cacheRead,
    model_price:
      usd === null
        ? -1
        : numberOf(variant.prices[price.entry.prices.per_call === undefined ? 'per_image' : 'per_call']),
    user_group_ratio: price.userGroupRatio ?? -1,
    claude: details.isAnthropic || undefined,
    service_tier_ratio: modeRatio(variant),
    prices: variant.distinctPrices,
    price_tier: variant.tier ?? undefined,
    price_mode: variant.mode ?? undefined,
    price_schedule: variant.schedule ?? undefined,
    schedule_ratio: variant.scheduleFactor === 1 ? undefined : variant.scheduleFactor,
    own_login_factor: price.ownLoginFactor,
    estimated: estimated === undefined ? undefined : true,
    usage_estimated: estimated,
    usage_capped: details.capped,
    price_assumed: price.assumed || undefined,
    requested_model: details.requested?.model,
    model_reason: details.requested?.reason,
    is_model_mapped: upstreamModel === undefined ? undefined : true,
    upstream_model_name: upstreamModel,
    reasoning_effort: details.reasoningEffort,
    reasoning_tokens: usage.reasoningTokens || undefined,
    plan: details.plan,
    system_prompt: details.systemPrompt,
    dropped: warnings?.length ? warnings : undefined,
    max_tokens_lowered: details.maxTokens ?? undefined,
    ending: details.ending,
    admin_info: details.adminInfo,
  }
  if (usage.details) Object.assign(written, usage.details satisfies WrittenLogDetails)
  if (amounts.cache_write_5m + amounts.cache_write_1h > 0) Object.assign(written, cacheWriteKeys(amounts, ratios))
  if (amounts.cache_read_audio > 0)
    Object.assign(written, { cache_audio_tokens: amounts.cache_read_audio, cache_audio_ratio: ratios.cacheReadAudio })
  if (amounts.image_in > 0) Object.assign(written, imageKeys(amounts, ratios))
  if (amounts.audio_in + amounts.audio_out > 0) Object.assign(written, audioKeys(amounts, ratios))
  if (amounts.reasoning > 0 && ratios.reasoning !== ratios.completion)
    Object.assign(written, { reasoning_billed: amounts.reasoning, reasoning_ratio: ratios.reasoning })
  if (amounts.image_out > 0)
    Object.assign(written, { image_generated: amounts.image_out, image_generation_ratio: ratios.imageOut })
  if (amounts.per_character > 0) written.characters = amounts.per_character
  if (amounts.per_second > 0) written.seconds = amounts.per_second
  if (hasToolCalls(usage)) Object.assign(written, toolKeys(variant, usage))
  return written
}

/** The time to the first token of a call without one. */
const neverMs = -1000

/** US dollars per call or image; null where tokens are charged. */
const callPrice = ({ entry: { prices } }: ChargeFacts['price']): number | null =>
  prices.per_call ?? (prices.input === undefined ? prices.per_image : undefined) ?? null

function modeRatio({ modeFactors }: Variant): number | undefined {
  return modeFactors.length === 0 ? undefined : Number(modeFactors.reduce((one, other) => one * other).toPrecision(12))
}

const cacheWriteKeys = (amounts: Amounts, ratios: VariantRatios): WrittenLogDetails => ({
  cache_creation_tokens: amounts.cache_write_5m + amounts.cache_write_1h,
  cache_creation_ratio: ratios.cacheWrite,
  ...(amounts.cache_write_1h > 0 && {
    cache_creation_tokens_5m: amounts.cache_write_5m,
    cache_creation_ratio_5m: ratios.cacheWrite,
    cache_creation_tokens_1h: amounts.cache_write_1h,
    cache_creation_ratio_1h: ratios.cacheWriteHour,
  }),
})

const imageKeys = (amounts: Amounts, ratios: VariantRatios): WrittenLogDetails => ({
  image: true,
  image_ratio: ratios.image,
  image_output: amounts.image_in,
})

const audioKeys = (amounts: Amounts, ratios: VariantRatios): WrittenLogDetails => ({
  audio: true,
  audio_input: amounts.audio_in,
  audio_output: amounts.audio_out,
  text_input: amounts.input + amounts.cache_read,
  text_output: amounts.output + amounts.reasoning + amounts.image_out,
  audio_ratio: ratios.audio,
  audio_completion_ratio: ratios.audioCompletion,
})

const hasToolCalls = ({ toolCalls }: Usage): boolean => {
  const { webSearch = 0, fileSearch = 0, codeInterpreter = 0, imageGeneration = 0, webFetch = 0 } = toolCalls
  return webSearch + fileSearch + codeInterpreter + imageGeneration + webFetch > 0
}

const toolKeys = (
  { prices }: Variant,
  { toolCalls: { webSearch = 0, fileSearch = 0, codeInterpreter = 0, imageGeneration = 0, webFetch = 0 } }: Usage,
): WrittenLogDetails => ({
  ...(webSearch > 0 && {
    web_search: true,
    web_search_call_count: webSearch,
    web_search_price: numberOf(prices.web_search),
  }),
  ...(webFetch > 0 && { web_fetch_requests: webFetch }),
  ...(fileSearch > 0 && {
    file_search: true,
    file_search_call_count: fileSearch,
    file_search_price: numberOf(prices.file_search),
  }),
  ...(codeInterpreter > 0 && {
    code_interpreter: true,
    code_interpreter_call_count: codeInterpreter,
    code_interpreter_price: numberOf(prices.code_interpreter),
  }),
  ...(imageGeneration > 0 && {
    image_generation: true,
    image_generation_call_count: imageGeneration,
    image_generation_price: numberOf(prices.image_generation),
  }),
})
