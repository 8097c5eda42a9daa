import * as z from 'zod'

import { route } from '../../http/route'
import { nameText } from '../../pricing/units'
import { channelFields } from './fields'
import { ids, longText, nullableText } from './parts'

export const tagChannels = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/batch/tag',
  audit: 'channel.tag_several',
  summary: 'Set the tag of several channels, or remove it with null; returns how many there were',
  body: z.object({ ids, tag: nameText(255).nullable() }),
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
    tag: nameText(255),
    new_tag: channelFields.tag.sent,
    model_mapping: channelFields.model_mapping.sent,
    models: nullableText(longText),
    groups: nullableText(4096),
    priority: channelFields.priority.sent,
    weight: channelFields.weight.sent,
  }),
  data: z.number().int(),
})

const Tag = z.object({ tag: nameText(255) })

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
