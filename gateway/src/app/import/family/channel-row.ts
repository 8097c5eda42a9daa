import { z } from 'zod'

import { decimal, int, object, text, trimmed, value } from '../source/values'

/** A channel, in the columns of all releases and products. */
export const ChannelRow = z.object({
  id: int,
  type: int,
  key: text,
  status: int,
  name: trimmed,
  weight: int,
  priority: int,
  created_time: int,
  test_time: int,
  response_time: int,
  base_url: trimmed,
  other: trimmed,
  balance: decimal,
  balance_updated_time: int,
  models: text,
  group: text,
  used_quota: int,
  model_mapping: text,
  status_code_mapping: text,
  param_override: text,
  header_override: text,
  setting: text,
  /** The second setting of new-api, JSON as the next two. */
  settings: text,
  config: text,
  channel_info: text,
  other_info: object,
  system_prompt: text,
  model_prefix: trimmed,
  max_input_tokens: int,
  openai_organization: trimmed,
  test_model: trimmed,
  auto_ban: value.transform((stored) => (stored === null || Number(stored) === 1 ? 1 : 0)),
  tag: trimmed,
})
export type ChannelRow = z.output<typeof ChannelRow>
