import * as z from 'zod'

import { channelNumberNames, fieldKinds } from '../../stored/channel-setting'
import { route } from '../../http/route'

export const knownModels = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/models',
  summary: 'All models that vendors suggest or channels list',
  data: z.array(z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })),
})

export const enabledModels = route({
  access: ['channels.read', 'prices.read'],
  method: 'GET',
  path: '/api/channel/models_enabled',
  summary: 'Models that are served in any group, sorted',
  data: z.array(z.string()),
})

const Words = z.object({ en: z.string(), zh: z.string() })

/** A vendor as the channel editor needs it. */
export const ChannelType = z.object({
  type: z.number().int(),
  id: z.string(),
  name: Words,
  /** Among the first that are suggested to an operator. */
  is_popular: z.boolean(),
  /** Null: the operator must give one. */
  base_url: z.string().nullable(),
  key: z.object({ hint: Words, several: z.boolean() }),
  modes: z.array(z.string()),
  fields: z.array(
    z.object({
      /** A column of the channel, or `setting.<key>`. */
      name: z.string(),
      kind: z.enum(fieldKinds),
      label: Words,
      hint: Words.optional(),
      placeholder: z.string().optional(),
      required: z.boolean().optional(),
      default: z.string().optional(),
      options: z.array(z.object({ value: z.string(), label: Words })).optional(),
    }),
  ),
  /** The newest first, retired ones last. */
  models: z.array(z.string()),
  /** Those of `models` that the vendor no longer serves, with the day since when it is known. */
  retired_models: z.array(z.object({ name: z.string(), since: z.string().nullable() })),
  /** What the vendor bills to the end when a client leaves: everything, responses in one piece, or nothing. */
  bills_abandoned: z.enum(['all', 'whole', 'none']),
  has_model_list: z.boolean(),
  has_balance: z.boolean(),
})
export type ChannelType = z.output<typeof ChannelType>

export const channelTypes = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/types',
  summary: 'The vendors with the fields of their channels, the popular ones first',
  data: z.array(ChannelType),
})

export const channelDefaults = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/defaults',
  summary: 'The numbers in force for a channel whose setting has none of its own',
  data: z.record(z.enum(channelNumberNames), z.number().int()),
})
