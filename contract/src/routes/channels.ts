import * as z from 'zod'

import { listOf, PageQuery } from '../paging'
import { route } from '../route'
import { ChannelId, flagText, idText, wholeNumberText } from '../units'

/** One key of a channel, named without being shown. */
export const ChannelKeyEntity = z.object({
  /** First 16 hex digits of its SHA-256. */
  fingerprint: z.string(),
  /** 1 enabled, 2 disabled by hand, 3 disabled after an error. */
  status: z.number().int(),
  /** Why it was disabled. */
  reason: z.string(),
  /** When it was disabled; 0 while enabled. */
  time: z.number().int(),
})
export type ChannelKeyEntity = z.output<typeof ChannelKeyEntity>

/** A connection to one vendor. Its keys are never answered. */
export const ChannelEntity = z.object({
  id: z.number().int(),
  type: z.number().int(),
  name: z.string(),
  /** 1 enabled, 2 disabled by hand, 3 disabled after an error. */
  status: z.number().int(),
  keys: z.array(ChannelKeyEntity),
  openai_organization: z.string(),
  base_url: z.string(),
  other: z.string(),
  /** Comma separated. */
  models: z.string(),
  /** Comma separated. */
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
  /** JSON text {status_reason, status_time}. */
  other_info: z.string(),
  /** Milliseconds; 0 untested. */
  response_time: z.number().int(),
  test_time: z.number().int(),
  /** US dollars, or the vendor's currency. */
  balance: z.number(),
  balance_updated_time: z.number().int(),
  used_quota: z.number().int(),
  created_time: z.number().int(),
})
export type ChannelEntity = z.output<typeof ChannelEntity>

export const lowestPriority = -999

const text = (longest: number) => z.string().max(longest).optional()
const nullableText = (longest: number) => z.string().max(longest).nullable().optional()
const longText = 200_000

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

const Params = z.object({ id: idText(ChannelId) })
const Sorting = { id_sort: flagText.optional(), tag_mode: flagText.optional() }
const ids = z.array(ChannelId).max(10_000)
const admin = { access: 'admin' } as const

/** How far a run over all channels is. */
export const RunProgress = z.object({
  is_running: z.boolean(),
  /** 0: never. */
  started_at: z.number().int(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
})
export type RunProgress = z.output<typeof RunProgress>

export const listChannels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel',
  summary: 'Channels by priority or id; in tag mode a page counts tags and untagged channels',
  query: PageQuery.extend(Sorting),
  data: listOf(ChannelEntity),
})

export const searchChannels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/search',
  limit: 'search',
  summary: 'Channels by id, part of the name or address, group, part of a model name, status or type',
  query: PageQuery.extend({
    ...Sorting,
    keyword: z.string().trim().max(255).optional(),
    /** `null`, as the historic console sends it, is no filter. */
    group: z.string().trim().max(255).optional(),
    model: z.string().trim().max(255).optional(),
    /** Exactly this tag. */
    tag: z.string().trim().max(255).optional(),
    status: wholeNumberText.optional(),
    type: wholeNumberText.optional(),
  }),
  data: listOf(ChannelEntity),
})

export const getChannel = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/{id}',
  summary: 'One channel, without its keys',
  params: Params,
  data: ChannelEntity,
})

export const createChannel = route({
  ...admin,
  method: 'POST',
  path: '/api/channel',
  summary: 'Create a channel',
  body: NewChannel,
  data: ChannelEntity,
})

export const updateChannel = route({
  ...admin,
  method: 'PUT',
  path: '/api/channel',
  summary: 'Change what the body names and nothing else; an empty key keeps the present ones',
  body: ChannelEdit,
  data: ChannelEntity,
})

export const copyChannel = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/copy/{id}',
  summary: 'Copy a channel with its keys',
  params: Params,
  query: z.object({ suffix: z.string().max(50).optional(), reset_balance: flagText.optional() }),
  data: z.object({ id: z.number().int() }),
})

export const deleteChannel = route({
  ...admin,
  method: 'DELETE',
  path: '/api/channel/{id}',
  summary: 'Delete a channel',
  params: Params,
})

export const deleteDisabledChannels = route({
  ...admin,
  method: 'DELETE',
  path: '/api/channel/disabled',
  summary: 'Delete all channels that are disabled; answers how many',
  data: z.number().int(),
})

export const deleteChannels = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/batch',
  summary: 'Delete several channels; answers how many there were',
  body: z.object({ ids }),
  data: z.number().int(),
})

export const tagChannels = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/batch/tag',
  summary: 'Give several channels a tag, or none with null; answers how many there were',
  body: z.object({ ids, tag: z.string().trim().max(255).nullable() }),
  data: z.number().int(),
})

export const updateTag = route({
  ...admin,
  method: 'PUT',
  path: '/api/channel/tag',
  summary:
    'Change all channels of a tag; answers how many. Empty texts change nothing, an empty new tag removes the tag',
  body: z.object({
    tag: z.string().trim(),
    new_tag: nullableText(255),
    model_mapping: nullableText(longText),
    models: nullableText(longText),
    groups: nullableText(4096),
    priority: z.number().nullable().optional(),
    weight: z.number().nullable().optional(),
  }),
  data: z.number().int(),
})

const Tag = z.object({ tag: z.string().trim() })

export const enableTag = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/tag/enabled',
  summary: 'Enable all channels of a tag; answers how many',
  body: Tag,
  data: z.number().int(),
})

export const disableTag = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/tag/disabled',
  summary: 'Disable all channels of a tag; answers how many',
  body: Tag,
  data: z.number().int(),
})

export const tagModels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/tag/models',
  summary: 'The longest model list among the channels of a tag, comma separated',
  query: Tag,
  data: z.string(),
})

export const fixChannels = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/fix',
  summary: 'Write anew which channel serves which model; answers the number of channels',
  data: z.number().int(),
})

export const knownModels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/models',
  summary: 'All models that vendors suggest or channels list',
  data: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
})

export const enabledModels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/models_enabled',
  summary: 'Models that are served in any group, sorted',
  data: z.array(z.string()),
})

export const testChannel = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/test/{id}',
  isWrite: true,
  summary: 'Send a short call through the channel; `time` is in seconds',
  params: Params,
  query: z.object({ model: z.string().trim().max(255).optional() }),
  beside: z.object({ time: z.number() }),
})

export const testChannels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/test',
  isWrite: true,
  summary: 'Start a test of all channels that are not disabled by hand',
})

export const testProgress = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/test/progress',
  summary: 'How far the test of all channels is',
  data: RunProgress,
})

export const updateBalance = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/update_balance/{id}',
  isWrite: true,
  summary: 'Ask the vendor for the balance of a channel',
  params: Params,
  beside: z.object({ balance: z.number() }),
})

export const updateBalances = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/update_balance',
  isWrite: true,
  summary: 'Start asking for the balances of all enabled channels',
})

export const balanceProgress = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/update_balance/progress',
  summary: 'How far asking for all balances is',
  data: RunProgress,
})

export const fetchModels = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/fetch_models/{id}',
  summary: 'The models the vendor of a channel offers',
  params: Params,
  data: z.array(z.string()),
})

export const fetchModelsUnsaved = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/fetch_models',
  summary: 'The models a vendor offers, before the channel is saved',
  body: z.object({
    base_url: nullableText(2048),
    type: z.number().int(),
    key: z.string().max(longText),
    other: nullableText(longText),
  }),
  data: z.array(z.string()),
})

export const keyActions = [
  'get_key_status',
  'enable_key',
  'disable_key',
  'delete_key',
  'enable_all_keys',
  'disable_all_keys',
  'delete_disabled_keys',
] as const
export type KeyAction = (typeof keyActions)[number]

export const manageKeys = route({
  ...admin,
  method: 'POST',
  path: '/api/channel/multi_key/manage',
  summary: 'Enable, disable or delete keys of a channel',
  body: z.object({
    channel_id: ChannelId,
    action: z.enum(keyActions),
    /** Which key, for the actions on one. */
    fingerprint: z.string().max(64).optional(),
    /** The same by its place, from 0. */
    key_index: z.number().int().min(0).optional(),
  }),
  data: ChannelEntity,
})

const Words = z.object({ en: z.string(), zh: z.string() })

/** A vendor as the channel editor needs it. */
export const ChannelType = z.object({
  type: z.number().int(),
  id: z.string(),
  name: Words,
  /** Null: the operator must give one. */
  base_url: z.string().nullable(),
  key: z.object({ hint: Words, several: z.boolean() }),
  modes: z.array(z.string()),
  fields: z.array(
    z.object({
      /** A column of the channel, or `setting.<key>`. */
      name: z.string(),
      kind: z.enum(['text', 'number', 'switch', 'json', 'select']),
      label: Words,
      hint: Words.optional(),
      placeholder: z.string().optional(),
      required: z.boolean().optional(),
      default: z.string().optional(),
      options: z.array(z.object({ value: z.string(), label: Words })).optional(),
    }),
  ),
  models: z.array(z.string()),
  has_model_list: z.boolean(),
  has_balance: z.boolean(),
})
export type ChannelType = z.output<typeof ChannelType>

export const channelTypes = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/types',
  summary: 'The vendors with the fields of their channels',
  data: z.array(ChannelType),
})

export const explainRoute = route({
  ...admin,
  method: 'GET',
  path: '/api/channel/route',
  summary: 'Who would serve a model for a group, and how often',
  query: z.object({ model: z.string().trim().min(1).max(255), group: z.string().trim().max(255).default('default') }),
  data: z.object({
    tiers: z.array(
      z.object({
        priority: z.number().int(),
        channels: z.array(
          z.object({
            id: z.number().int(),
            name: z.string(),
            weight: z.number().int(),
            /** Part of the tier's calls, 0 to 1. */
            share: z.number(),
            /** False while the calls of this worker keep failing there. */
            is_healthy: z.boolean(),
            /** What the vendor is asked for. */
            upstream_model: z.string(),
          }),
        ),
      }),
    ),
  }),
})
