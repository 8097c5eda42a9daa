import * as z from 'zod'

import { route } from '../../http/route'
import { ChannelId } from '../../pricing/units'
import { ChannelEntity } from './entity'

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
  access: 'channels.write',
  method: 'POST',
  path: '/api/channel/multi_key/manage',
  audit: 'channel.manage_keys',
  summary: 'Enable, disable or delete keys of a channel',
  body: z.object({
    channel_id: ChannelId,
    action: z.enum(keyActions),
    /** The key, for actions on one. */
    fingerprint: z.string().max(64).optional(),
    /** The same by its index, from 0. */
    key_index: z.number().int().min(0).optional(),
  }),
  data: ChannelEntity,
})
