import * as z from 'zod'

import { partOfFields } from './fields'

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
  /** 1 enabled, 2 disabled manually, 3 disabled after an error. */
  status: z.number().int(),
  keys: z.array(ChannelKeyEntity),
  ...partOfFields('stored'),
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
  /** When it was last enabled, in milliseconds since 1970: what began before and fails after says nothing of it. */
  enabled_at_ms: z.number().optional().catch(undefined),
  /** How often, and when last, the upstream reported a usage that its call cannot have had. */
  capped_count: z.number().optional().catch(undefined),
  capped_at: z.number().optional().catch(undefined),
})
export type ChannelInfo = z.output<typeof ChannelInfo>

export type ChannelEntity = z.output<typeof ChannelEntity>
