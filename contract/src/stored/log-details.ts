import * as z from 'zod'

import { parseObject, readFields } from './json-fields'
import { ChoiceReason } from './routing-strategies'
import type { ClassPrices } from '../pricing/price-entry'

const count = z.int().min(0).default(0)
const maxAmount = 1e12
const number = z.number().min(-maxAmount).max(maxAmount).optional()
const text = z.string().optional()
const flag = z.boolean().default(false)
/** By class. Without the list of classes, which pages of the log do not load at first; rows of later releases may have more of them. */
const prices: z.ZodType<ClassPrices> = z.record(z.string(), z.number().min(0).max(2e9))
const modalities = z.record(z.string(), z.number()).optional()

/** One attempt at one channel, as administrators see it. */
export const LoggedAttempt = z.object({
  channel: z.number(),
  /** The fingerprint of the key. */
  key: z.string().default(''),
  /** An HTTP status; 0 without a response. */
  status: z.number().default(0),
  ms: count,
  reason: text,
})
export type LoggedAttempt = z.output<typeof LoggedAttempt>

/** The implausible counts that an upstream reported. */
const CappedUsage = z.object({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  /** Calls of the built-in tool that was reported most often. */
  tool_calls: z.number().optional(),
  images: z.number().optional(),
  seconds: z.number().optional(),
})

/** What only administrators are shown about a call. */
const AdminInfo = z.object({
  attempts: z.array(LoggedAttempt).readonly().default([]),
  /** The ids of the channels, in the order of the attempts. */
  use_channel: z.array(z.string()).readonly().default([]),
  /** How a strategy chose the channel that served; absent where channels are drawn by weight. */
  chosen_by: ChoiceReason.optional(),
  /** The dialect of the channel, and the upstream's own request id. */
  upstream_dialect: text,
  upstream_request_id: text,
  /** Quota that the channel's vendor charges for the call, where it is known. */
  cost: number,
  /** Quota by which it charges less because it read tokens from its cache. */
  cost_saved: number,
  /** `own`: by an entry for the channel. `factor`: by the list price times `cost_factor`. `list`: by the list price. */
  cost_kind: z.enum(['own', 'factor', 'list']).optional(),
  cost_factor: number,
  /** The channel whose response came from the cache. */
  cached_from: number,
  /** Like `prices`. */
  cost_prices: prices.optional(),
  /** The upstream's own message of the failed attempt, with secrets masked. */
  upstream_error: z.object({ message: z.string(), type: z.string(), code: z.string() }).optional(),
})

/** The details of a log row besides its columns: the JSON object in its field `other`. The gateway writes only what applies. */
export const LogDetails = z.object({
  /** Milliseconds to the first token; -1000 without one. */
  frt: number,
  /**
   * Milliseconds of the whole call; `use_time` has the seconds. Null for a call that a vendor made in a batch of its own; missing in rows of earlier
   * releases.
   */
  use_time_ms: z.int().min(0).nullable().optional(),
  /** The caller's dialect, and the path it called. */
  dialect: text,
  endpoint: text,
  /** What clients call the task that was charged or failed. */
  task_id: text,
  model_ratio: number,
  group_ratio: number,
  /** -1: the group's own ratio applied. */
  user_group_ratio: number,
  completion_ratio: number,
  /** US dollars per call; -1: charged by tokens. */
  model_price: number,
  cache_tokens: count,
  cache_ratio: number,
  /** Audio that was read from the cache; not among `cache_tokens`. */
  cache_audio_tokens: count,
  cache_audio_ratio: number,
  /** Written to a cache: Anthropic's cache creation, OpenAI's `cache_write_tokens`. */
  cache_creation_tokens: count,
  cache_creation_ratio: number,
  cache_creation_tokens_5m: count,
  cache_creation_ratio_5m: number,
  cache_creation_tokens_1h: count,
  cache_creation_ratio_1h: number,
  /** Image tokens in the prompt; `image_output` is their number, a name that existing clients know. */
  image: flag,
  image_output: count,
  image_ratio: number,
  /** Audio tokens were used; then `audio_*` and `text_*` are the numbers of each. */
  audio: flag,
  audio_input: count,
  audio_output: count,
  text_input: count,
  text_output: count,
  audio_ratio: number,
  audio_completion_ratio: number,
  /** The upstream uses Anthropic's dialect, which counts cache reads and writes separately. */
  claude: flag,
  /** The call came over a WebSocket. */
  ws: flag,
  web_search: flag,
  web_search_call_count: count,
  web_search_price: number,
  web_fetch_requests: count,
  file_search: flag,
  file_search_call_count: count,
  file_search_price: number,
  code_interpreter: flag,
  code_interpreter_call_count: count,
  code_interpreter_price: number,
  /** Counted in pictures of the lowest quality. */
  image_generation: flag,
  image_generation_call_count: count,
  image_generation_price: number,
  /** The gateway counted tokens itself; `usage_estimated` says which. */
  estimated: flag,
  usage_estimated: z.enum(['prompt', 'completion', 'all']).optional(),
  /** The upstream reported more than the call can have used; the charge is by an estimate. */
  usage_capped: CappedUsage.optional(),
  price_assumed: flag,
  /** The model or alias that the call named, where another model served it, and why: one of `modelReasons`. */
  requested_model: text,
  model_reason: text,
  is_model_mapped: flag,
  upstream_model_name: text,
  reasoning_effort: text,
  reasoning_tokens: count,
  /** The reasoning tokens that were charged separately from other output, and their ratio. */
  reasoning_billed: count,
  reasoning_ratio: number,
  /** Image tokens in the response that have a price of their own. */
  image_generated: count,
  image_generation_ratio: number,
  /** Images in the response, with their reported properties. Absent: the price does not depend on them. */
  image_count: number,
  image_size: text,
  image_quality: text,
  /** Characters of the prompt, where these are charged. */
  characters: count,
  /** Seconds of a recording, where these are charged. */
  seconds: count,
  /** The tier that served the call, as the vendor names it. */
  service_tier: text,
  /** Multiplies the whole charge. */
  service_tier_ratio: number,
  /** The prices of the charge in US dollars, as in a price entry, before factors: the classes that do not follow from others. */
  prices: prices.optional(),
  /** The input tokens above which the price tier begins. */
  price_tier: number,
  /** The mode and the schedule that applied, by their names in the entry. */
  price_mode: text,
  price_schedule: text,
  /** The factor of the schedule; multiplies the whole charge. */
  schedule_ratio: number,
  speed: text,
  inference_geo: text,
  iterations: z
    .array(z.record(z.string(), z.union([z.string(), z.number()])))
    .readonly()
    .optional(),
  tool_use_prompt_tokens: count,
  prompt_modalities: modalities,
  completion_modalities: modalities,
  /** The response came from the cache: its age in seconds, what it costs from a channel in quota, and the factor by which it was charged. */
  cached_age: z.int().min(0).optional(),
  cached_quota: z.int().min(0).optional(),
  cached_factor: number,
  /** The client brought the login of its own account at the vendor: the factor of its channel, which multiplies the whole charge. */
  own_login_factor: number,
  /** The plan that paid instead of the wallet. */
  plan: text,
  system_prompt: text,
  /** The conversation, for sites that log it: earlier texts, the last text and the response. */
  context: text,
  input_content: text,
  output_content: text,
  /** How an incomplete stream ended: `abandoned` by its client, or `broken` off by its upstream. */
  ending: text,
  /** The limit that each choice was given because the balance could not pay for a longer one. */
  max_tokens_lowered: count,
  /** What the request contains and the upstream's dialect cannot express. */
  dropped: z.array(z.string()).readonly().default([]),
  error_type: text,
  error_code: z.union([z.string(), z.number().transform(String)]).optional(),
  /** Status of the upstream's response for a failed attempt, 0 without one; of ours for a refused call. */
  status_code: number,
  /** The status that the caller gets when the attempt is the last, where it is another one. */
  caller_status: number,
  /** The calls that a row stands for which were refused before any upstream saw them; 0 for other rows. */
  refused_calls: count,
  /** The owner of the limit that refused a call, one of `windowOwners`. */
  limit_owner: text,
  channel_id: number,
  channel_name: text,
  channel_type: number,
  admin_info: AdminInfo.optional(),
})

/** The form that is read, with defaults. */
export type LogDetails = z.output<typeof LogDetails>

/** What a charge is computed from; quicker to read than everything where many rows are read. */
export const ChargeDetails = LogDetails.pick({
  model_ratio: true,
  group_ratio: true,
  completion_ratio: true,
  model_price: true,
  cache_tokens: true,
  cache_ratio: true,
  cache_audio_tokens: true,
  cache_audio_ratio: true,
  cache_creation_tokens: true,
  cache_creation_ratio: true,
  cache_creation_tokens_1h: true,
  cache_creation_ratio_1h: true,
  image_output: true,
  image_ratio: true,
  audio_input: true,
  audio_output: true,
  audio_ratio: true,
  audio_completion_ratio: true,
  web_search_call_count: true,
  web_search_price: true,
  file_search_call_count: true,
  file_search_price: true,
  code_interpreter_call_count: true,
  code_interpreter_price: true,
  image_generation_call_count: true,
  image_generation_price: true,
  reasoning_billed: true,
  reasoning_ratio: true,
  image_generated: true,
  image_generation_ratio: true,
  image_count: true,
  characters: true,
  seconds: true,
  service_tier_ratio: true,
  schedule_ratio: true,
  own_login_factor: true,
  prices: true,
})
export type ChargeDetails = z.output<typeof ChargeDetails>

/** The form that is written. What is undefined is left out. */
export type WrittenLogDetails = z.input<typeof LogDetails>

export const writeLogDetails = (details: WrittenLogDetails): string => JSON.stringify(details)

/** Returns the details in a row's `other`. In rows of other releases, fields that do not fit count as absent. */
export const readLogDetails = (other: string): LogDetails => readFields(LogDetails, other)

const isForAdmins = (name: string): boolean => name === 'admin_info' || name.startsWith('channel_')

/** Returns the JSON text of a row's `other` as its user may read it: without administrators' fields. Empty when it is not an object. */
export function ownLogDetails(other: string): string {
  const details = parseObject(other)
  return details
    ? JSON.stringify(Object.fromEntries(Object.entries(details).filter(([name]) => !isForAdmins(name))))
    : ''
}

const isOfCost = (name: string): boolean => name === 'cost' || name.startsWith('cost_')

/** Returns a row's `other` without what the call costs at the vendor, for administrators who may not see that. */
export function withoutCosts(other: string): string {
  if (!other.includes('"cost')) return other
  const details = parseObject(other)
  const admin: unknown = details?.['admin_info']
  if (!details || typeof admin !== 'object' || admin === null) return other
  const shown = Object.fromEntries(Object.entries(admin).filter(([name]) => !isOfCost(name)))
  return JSON.stringify({ ...details, admin_info: shown })
}

/** Returns a row's `other` with these fields set; those that are undefined are removed. */
export const withLogDetails = (other: string, fields: WrittenLogDetails): string =>
  JSON.stringify({ ...parseObject(other), ...fields })
