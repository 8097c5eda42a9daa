import * as z from 'zod'

import { route } from '../../http/route'
import { Params } from './parts'

export const historyKinds = ['disabled', 'key_disabled', 'enabled', 'key_enabled'] as const

/** A channel, or a key of it, was disabled or enabled. */
export const ChannelEvent = z.object({
  /** Unix seconds. */
  at: z.number().int(),
  kind: z.enum(historyKinds),
  /** False: done by the gateway itself. */
  is_by_hand: z.boolean(),
  /** The user who did it manually; empty if the reader may not see that user. */
  username: z.string(),
  /** The gateway's reason, in the reader's language. */
  text: z.string(),
})
export type ChannelEvent = z.output<typeof ChannelEvent>

export const maxEvents = 50

export const channelHistory = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/{id}/history',
  summary: 'When a channel or its keys were disabled and enabled in the last 90 days, and why; newest first',
  params: Params,
  data: z.array(ChannelEvent),
})
