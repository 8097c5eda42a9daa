import * as z from 'zod'

import { ClassPrices } from './price-entry'

const count = z.int().min(0).catch(0)
/** Anything larger is no price. */
const most = 1e12
const ratio = z.number().min(-most).max(most).optional().catch(undefined)
const text = z.string().optional().catch(undefined)
const flag = z.boolean().catch(false)
const modalities = z.record(z.string(), z.number()).optional().catch(undefined)

/** One try at one channel, as administrators see it. */
export const LoggedAttempt = z.object({
  channel: z.number(),
  key: z.string().catch(''),
  status: z.number().catch(0),
  ms: count,
  reason: z.string().optional(),
})
export type LoggedAttempt = z.output<typeof LoggedAttempt>

/** What an upstream reported and cannot be true. */
const CappedUsage = z.object({
  prompt_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  /** Of the built-in tool that was reported most often. */
  tool_calls: z.number().optional(),
})

/** What a log row says beside its columns, in its member `other`. Whatever is missing or of another kind counts as not said. */
export const LogOther = z.object({
  /** Milliseconds to the first token; -1000: there was none. */
  frt: ratio,
  /** Milliseconds of the whole call, of which `use_time` keeps the seconds. Rows of earlier releases do not say. */
  use_time_ms: z.int().min(0).optional().catch(undefined),
  /** What the caller spoke, and the path it called. */
  dialect: text,
  endpoint: text,
  model_ratio: ratio,
  group_ratio: ratio,
  /** -1: the group's own ratio applied. */
  user_group_ratio: ratio,
  completion_ratio: ratio,
  /** US dollars a call; -1: charged by tokens. */
  model_price: ratio,
  cache_tokens: count,
  cache_ratio: ratio,
  /** Written to a cache: Anthropic's cache creation, OpenAI's `cache_write_tokens`. */
  cache_creation_tokens: count,
  cache_creation_ratio: ratio,
  cache_creation_tokens_5m: count,
  cache_creation_ratio_5m: ratio,
  cache_creation_tokens_1h: count,
  cache_creation_ratio_1h: ratio,
  image: flag,
  image_output: count,
  image_ratio: ratio,
  /** Tokens of sound went in or out; then `audio_*` and `text_*` say how many of each. */
  audio: flag,
  audio_input: count,
  audio_output: count,
  text_input: count,
  text_output: count,
  audio_ratio: ratio,
  audio_completion_ratio: ratio,
  /** The upstream spoke Anthropic's dialect, which counts reads and writes of its cache apart. */
  claude: flag,
  /** The call came over a WebSocket. */
  ws: flag,
  web_search: flag,
  web_search_call_count: count,
  web_search_price: ratio,
  web_fetch_requests: count,
  file_search: flag,
  file_search_call_count: count,
  file_search_price: ratio,
  code_interpreter: flag,
  code_interpreter_call_count: count,
  code_interpreter_price: ratio,
  /** Tokens were counted here; `usage_estimated` says which. */
  estimated: flag,
  usage_estimated: z.enum(['prompt', 'completion', 'all']).optional().catch(undefined),
  /** The upstream reported more than the call can have used; the charge is by an estimate. */
  usage_capped: CappedUsage.optional().catch(undefined),
  price_assumed: flag,
  is_model_mapped: flag,
  upstream_model_name: text,
  reasoning_effort: text,
  reasoning_tokens: count,
  /** Of them, those that were charged apart from other output, and their ratio. */
  reasoning_billed: count,
  reasoning_ratio: ratio,
  /** Tokens of pictures in the answer that have a price of their own. */
  image_generated: count,
  image_generation_ratio: ratio,
  /** Of the prompt, where characters are charged for. */
  characters: count,
  /** The tier that served the call, in the vendor's words. */
  service_tier: text,
  /** On everything that the call cost. */
  service_tier_ratio: ratio,
  /** What the call was charged by, in US dollars as in a price entry, before factors: the classes that do not follow from others. */
  prices: ClassPrices.optional().catch(undefined),
  /** The input tokens above which the tier that applied begins. */
  price_tier: ratio,
  /** The mode and the hours that applied, by their names in the entry. */
  price_mode: text,
  price_schedule: text,
  /** Of the hours, on everything that the call cost. */
  schedule_ratio: ratio,
  speed: text,
  inference_geo: text,
  iterations: z
    .array(z.record(z.string(), z.union([z.string(), z.number()])))
    .readonly()
    .optional()
    .catch(undefined),
  tool_use_prompt_tokens: count,
  prompt_modalities: modalities,
  completion_modalities: modalities,
  system_prompt: text,
  context: text,
  input_content: text,
  output_content: text,
  /** How a stream ended that is not complete: `abandoned` by its client, or `broken` off by its upstream. */
  ending: text,
  /** The limit that each answer was given because the balance could not pay a longer one. */
  max_tokens_lowered: count,
  dropped: z.array(z.string()).readonly().catch([]),
  error_type: text,
  error_code: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
  status_code: ratio,
  channel_id: ratio,
  channel_name: text,
  channel_type: ratio,
  /** Removed before anyone but an administrator reads it. */
  admin_info: z
    .object({
      attempts: z.array(LoggedAttempt).readonly().catch([]),
      use_channel: z.array(z.string()).readonly().catch([]),
      /** What the channel speaks, and its own id of the call. */
      upstream_dialect: text,
      upstream_request_id: text,
      /** Quota that the channel's vendor charges for the call, as far as it is known. */
      cost: ratio,
      /** `own`: by an entry for the channel. `factor`: by the list price times `cost_factor`. `list`: by the list price. */
      cost_kind: z.enum(['own', 'factor', 'list']).optional().catch(undefined),
      cost_factor: ratio,
      /** As `prices`. */
      cost_prices: ClassPrices.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type LogOther = z.output<typeof LogOther>

/** The same as it is written: only what there is to say. */
export type LogOtherWritten = Partial<LogOther>

const nothing = LogOther.parse({})

/** Reads the JSON text of a row's `other`. */
export function readLogOther(json: string): LogOther {
  try {
    return LogOther.safeParse(JSON.parse(json || '{}')).data ?? nothing
  } catch {
    return nothing
  }
}
