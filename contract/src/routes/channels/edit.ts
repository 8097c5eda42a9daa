import * as z from 'zod'

import { refusedAs } from '../../http/errors'
import { readOnlyFields } from '../../http/route'
import { ChannelId } from '../../pricing/units'
import { ChannelEntity } from './entity'
import { longText, nullableText, text } from './parts'

export const lowestPriority = -999

/** What an administrator decides; the rules with a sentence of their own are checked by the server. */
const decided = {
  type: z.number().int().optional(),
  name: z.string().trim().max(255).optional(),
  /** Several keys separated by commas or line ends. Empty: unchanged. */
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
  priority: z.number(refusedAs('channel.priority')).nullable().optional(),
  weight: z.number(refusedAs('channel.weight')).nullable().optional(),
  tag: nullableText(255),
  auto_ban: z.number().int().min(0).max(1).nullable().optional(),
}

const readOnly = {
  ...readOnlyFields(ChannelEntity, { ...decided, id: ChannelId, status: z.number() }),
  /** The groups of an edited channel as an array, which older consoles send in addition to `group`. */
  groups: z.unknown().optional(),
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
