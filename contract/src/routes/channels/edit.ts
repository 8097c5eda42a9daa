import * as z from 'zod'

import { ChannelId } from '../../units'
import { longText, nullableText, text } from './parts'

export const lowestPriority = -999

/** What an administrator decides; the rules that need a sentence of their own are checked by the server. */
const decided = {
  type: z.number().int().optional(),
  name: z.string().trim().max(255).optional(),
  /** Several keys between commas or line ends. Empty: unchanged. */
  key: text(longText),
  openai_organization: nullableText(255),
  base_url: nullableText(2048),
  other: nullableText(longText),
  models: text(longText),
  group: text(4096),
  model_mapping: nullableText(longText),
  status_code_mapping: nullableText(4096),
  setting: nullableText(longText),
  param_override: nullableText(longText),
  model_prefix: nullableText(64),
  system_prompt: nullableText(longText),
  test_model: nullableText(255),
  max_input_tokens: z.number().int().min(0).max(1e12).nullable().optional(),
  priority: z.number().nullable().optional(),
  weight: z.number().nullable().optional(),
  tag: nullableText(255),
  auto_ban: z.number().int().min(0).max(1).nullable().optional(),
}

/** Accepted and left alone, so that a row that was read can be sent back. */
const readOnly = {
  keys: z.unknown().optional(),
  groups: z.unknown().optional(),
  other_info: z.unknown().optional(),
  response_time: z.unknown().optional(),
  test_time: z.unknown().optional(),
  balance: z.unknown().optional(),
  balance_updated_time: z.unknown().optional(),
  used_quota: z.unknown().optional(),
  created_time: z.unknown().optional(),
}

export const NewChannel = z.object({
  ...decided,
  ...readOnly,
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  /** Take the keys of this channel when `key` is empty. */
  copy_from: ChannelId.optional(),
})
export type NewChannel = z.output<typeof NewChannel>

export const ChannelEdit = z.object({ id: ChannelId, status: z.number().int().optional(), ...decided, ...readOnly })
export type ChannelEdit = z.output<typeof ChannelEdit>
