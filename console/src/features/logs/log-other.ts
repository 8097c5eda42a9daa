import * as z from 'zod'

const count = z.int().min(0).catch(0)
/** Anything larger is no price. */
const most = 1e12
const ratio = z.number().min(-most).max(most).optional().catch(undefined)
const text = z.string().optional().catch(undefined)

/** One try at one channel, as administrators see it. */
const Attempt = z.object({
  channel: z.number(),
  key: z.string().catch(''),
  status: z.number().catch(0),
  ms: count,
  reason: z.string().optional(),
})
export type Attempt = z.output<typeof Attempt>

/** What a row tells beside its columns. Whatever is missing or of another kind counts as not said. */
const LogOther = z.object({
  frt: ratio,
  model_ratio: ratio,
  group_ratio: ratio,
  user_group_ratio: ratio,
  completion_ratio: ratio,
  model_price: ratio,
  cache_tokens: count,
  cache_ratio: ratio,
  cache_creation_tokens: count,
  cache_creation_ratio: ratio,
  cache_creation_tokens_1h: count,
  cache_creation_ratio_1h: ratio,
  image_output: count,
  image_ratio: ratio,
  audio_input: count,
  audio_output: count,
  audio_ratio: ratio,
  audio_completion_ratio: ratio,
  web_search_call_count: count,
  web_search_price: ratio,
  file_search_call_count: count,
  file_search_price: ratio,
  estimated: z.boolean().catch(false),
  price_assumed: z.boolean().catch(false),
  is_model_mapped: z.boolean().catch(false),
  upstream_model_name: text,
  reasoning_effort: text,
  reasoning_tokens: count,
  system_prompt: text,
  context: text,
  input_content: text,
  output_content: text,
  ending: text,
  max_tokens_lowered: count,
  dropped: z.array(z.string()).catch([]),
  error_type: text,
  error_code: z.union([z.string(), z.number()]).transform(String).optional().catch(undefined),
  status_code: ratio,
  admin_info: z
    .object({ attempts: z.array(Attempt).catch([]), use_channel: z.array(z.string()).catch([]) })
    .optional()
    .catch(undefined),
})
export type LogOther = z.output<typeof LogOther>

const nothing = LogOther.parse({})

export function readOther(json: string): LogOther {
  try {
    return LogOther.safeParse(JSON.parse(json || '{}')).data ?? nothing
  } catch {
    return nothing
  }
}
