import * as z from 'zod'

import { ChannelId, flagText, idText } from '../../units'

export const text = (longest: number) => z.string().max(longest).optional()
export const nullableText = (longest: number) => z.string().max(longest).nullable().optional()
export const longText = 200_000

export const Params = z.object({ id: idText(ChannelId) })
/** By what a list of channels can be ordered; the last three are about the last 24 hours, `failures` is their share. */
export const channelSorts = [
  'id',
  'name',
  'type',
  'tag',
  'status',
  'response',
  'used',
  'balance',
  'priority',
  'weight',
  'spend',
  'calls',
  'failures',
] as const
export const Sorting = {
  id_sort: flagText.optional(),
  tag_mode: flagText.optional(),
  /** Before `id_sort`. Channels that are alike stand by falling id. */
  sort: z.enum(channelSorts).optional(),
  descending: flagText.optional(),
}
export const ids = z.array(ChannelId).max(10_000)
export const admin = { access: 'admin' } as const
