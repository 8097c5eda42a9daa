import * as z from 'zod'

/** One key of a channel, identified without being shown. */
export const ChannelKeyEntity = z.object({
  /** First 16 hex digits of its SHA-256. */
  fingerprint: z.string(),
  /** Its last four characters, as `sk-…a1b2`; empty for short keys and for documents. */
  masked: z.string(),
  /** 1 enabled, 2 disabled manually, 3 disabled after an error. */
  status: z.number().int(),
  /** Why it was disabled. */
  reason: z.string(),
  /** When it was disabled; 0 while enabled. */
  time: z.number().int(),
})
export type ChannelKeyEntity = z.output<typeof ChannelKeyEntity>

/** A connection to one vendor. Its keys are never returned. */
export const ChannelEntity = z.object({
  id: z.number().int(),
  type: z.number().int(),
  name: z.string(),
  /** 1 enabled, 2 disabled manually, 3 disabled after an error. */
  status: z.number().int(),
  keys: z.array(ChannelKeyEntity),
  openai_organization: z.string(),
  base_url: z.string(),
  other: z.string(),
  /** Comma-separated. */
  models: z.string(),
  /** Comma-separated. */
  group: z.string(),
  /** JSON text or empty, as the next three. */
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  setting: z.string(),
  param_override: z.string(),
  model_prefix: z.string(),
  system_prompt: z.string(),
  test_model: z.string(),
  /** 0: no ceiling. */
  max_input_tokens: z.number().int(),
  priority: z.number().int(),
  weight: z.number().int(),
  tag: z.string().nullable(),
  /** 1: may be disabled after an error. */
  auto_ban: z.number().int(),
  /** JSON text, see `ChannelInfo`. */
  other_info: z.string(),
  /** Milliseconds; 0 untested. */
  response_time: z.number().int(),
  /** Unix seconds; 0 untested. */
  test_time: z.number().int(),
  /** Why the last test failed; empty: it passed, or there was none. */
  test_failure: z.string(),
  /** What is left at the vendor, in the currency below. */
  balance: z.number(),
  /** ISO 4217; empty: not known yet. */
  balance_currency: z.string(),
  balance_updated_time: z.number().int(),
  used_quota: z.number().int(),
  created_time: z.number().int(),
})
/** The contents of a channel's `other_info`. Members of later releases are kept. */
export const ChannelInfo = z.looseObject({
  /** Why and when (unix seconds) it was disabled automatically. */
  status_reason: z.string().optional().catch(undefined),
  status_time: z.number().optional().catch(undefined),
  /** How often, and when last, the upstream reported a usage that its call cannot have had. */
  capped_count: z.number().optional().catch(undefined),
  capped_at: z.number().optional().catch(undefined),
})
export type ChannelInfo = z.output<typeof ChannelInfo>

export type ChannelEntity = z.output<typeof ChannelEntity>
