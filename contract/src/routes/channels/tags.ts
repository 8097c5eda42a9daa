import * as z from 'zod'

import { refusedAs } from '../../http/errors'
import { route } from '../../http/route'
import { ids, longText, nullableText } from './parts'

export const tagChannels = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/batch/tag',
  audit: 'channel.tag_several',
  summary: 'Set the tag of several channels, or remove it with null; returns how many there were',
  body: z.object({ ids, tag: z.string().trim().max(255).nullable() }),
  data: z.number().int(),
})

export const updateTag = route({
  access: 'channels.write',
  method: 'PUT',
  path: '/api/channel/tag',
  audit: 'channel.update_tag',
  summary:
    'Change all channels of a tag; returns how many. An empty new tag removes the tag, an empty mapping clears the mapping; what is null stays',
  body: z.object({
    tag: z.string().trim(),
    new_tag: nullableText(255),
    model_mapping: nullableText(longText),
    models: nullableText(longText),
    groups: nullableText(4096),
    priority: z.number(refusedAs('channel.priority')).nullable().optional(),
    weight: z.number(refusedAs('channel.weight')).nullable().optional(),
  }),
  data: z.number().int(),
})

const Tag = z.object({ tag: z.string().trim() })

export const enableTag = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/tag/enabled',
  audit: 'channel.enable_tag',
  summary: 'Enable all channels of a tag; returns how many',
  body: Tag,
  data: z.number().int(),
})

export const disableTag = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/tag/disabled',
  audit: 'channel.disable_tag',
  summary: 'Disable all channels of a tag; returns how many',
  body: Tag,
  data: z.number().int(),
})

export const tagModels = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/tag/models',
  summary: 'The longest model list among the channels of a tag, comma separated',
  query: Tag,
  data: z.string(),
})
