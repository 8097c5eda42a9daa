import * as z from 'zod'
import { listOf, PageQuery, searchResultOf } from '../../http/paging'
import { readOnlyFields, route } from '../../http/route'
import { ChannelId, flagText, wholeNumberText } from '../../pricing/units'
import { ChannelEntity } from './entity'
import { ids, longText, Params, Sorting, text } from './parts'
import { partOfFields } from './fields'

/** What an administrator decides; the rules with a sentence of their own are checked by the server. */
const editableFields = {
  type: z.number().int().optional(),
  /** Several keys separated by commas or line ends. Empty: unchanged. */
  key: text(longText),
  ...partOfFields('sent'),
}

const readOnly = {
  ...readOnlyFields(ChannelEntity, { ...editableFields, id: ChannelId, status: z.number() }),
  /** The groups of an edited channel as an array, which older consoles send in addition to `group`. */
  groups: z.unknown().optional(),
}

export const NewChannel = z.object({
  ...editableFields,
  ...readOnly,
  id: z.unknown().optional(),
  status: z.unknown().optional(),
  /** Take the keys of this channel when `key` is empty. */
  copy_from: ChannelId.optional(),
})
export type NewChannel = z.output<typeof NewChannel>

export const ChannelEdit = z.object({
  id: ChannelId,
  status: z.number().int().optional(),
  ...editableFields,
  ...readOnly,
})
export type ChannelEdit = z.output<typeof ChannelEdit>

export const listChannels = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel',
  summary: 'Channels by priority, id or another column; in tag mode a page counts tags and untagged channels',
  query: PageQuery.extend(Sorting),
  data: listOf(ChannelEntity),
})

export const searchChannels = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/search',
  limit: 'search',
  summary:
    'Channels by id, part of the name or address, group, part of a model name, status or type; a page with `p`, otherwise an array',
  query: PageQuery.extend({
    ...Sorting,
    keyword: z.string().trim().max(255).optional(),
    /** `null`, as the legacy console sends it, means no filter. */
    group: z.string().trim().max(255).optional(),
    model: z.string().trim().max(255).optional(),
    /** Exactly this tag. */
    tag: z.string().trim().max(255).optional(),
    status: wholeNumberText.optional(),
    type: wholeNumberText.optional(),
  }),
  data: searchResultOf(ChannelEntity),
})

export const getChannel = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/{id}',
  summary: 'One channel, without its keys',
  params: Params,
  data: ChannelEntity,
})

export const createChannel = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel',
  audit: 'channel.create',
  summary: 'Create a channel',
  body: NewChannel,
  data: ChannelEntity,
})

export const updateChannel = route({
  access: 'channels.write',
  method: 'PUT',
  path: '/api/channel',
  audit: 'channel.update',
  // The super admin may have stored keys sent elsewhere; others enter them again.
  stepUp: { purpose: 'channel_address', isUpToHandler: true },
  summary: 'Change what the body names and nothing else; an empty key keeps the current ones',
  body: ChannelEdit,
  data: ChannelEntity,
})

export const copyChannel = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/copy/{id}',
  audit: 'channel.copy',
  summary: 'Copy a channel with its keys',
  params: Params,
  query: z.object({ suffix: z.string().max(50).optional(), reset_balance: flagText.optional() }),
  data: z.object({ id: z.number().int() }),
})

export const deleteChannel = route({
  access: 'channels.write',
  method: 'DELETE',
  path: '/api/channel/{id}',
  audit: 'channel.delete',
  summary: 'Delete a channel',
  params: Params,
})

export const deleteDisabledChannels = route({
  access: 'channels.write',
  method: 'DELETE',
  path: '/api/channel/disabled',
  audit: 'channel.delete_disabled',
  summary: 'Delete all disabled channels; returns how many',
  data: z.number().int(),
})

export const deleteChannels = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/batch',
  audit: 'channel.delete_several',
  summary: 'Delete several channels; returns how many there were',
  body: z.object({ ids }),
  data: z.number().int(),
})

export const fixChannels = route({
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/fix',
  audit: 'channel.fix',
  summary: 'Make every worker read the channels again; returns their number',
  data: z.number().int(),
})
