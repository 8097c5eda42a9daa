import * as z from 'zod'

import { sortQuery } from '../../http/paging'
import { ChannelId, flagText, idText } from '../../pricing/units'

export const text = (maxLength: number) => z.string().max(maxLength).optional()
export const nullableText = (maxLength: number) => z.string().max(maxLength).nullable().optional()
export const longText = 200_000

export const Params = z.object({ id: idText(ChannelId) })
/** Sort orders of a list of channels. The last three use the last 24 hours; `failures` is the share of failed attempts. */
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
  /** Takes precedence over `id_sort`. Equal channels are in descending order of id. */
  ...sortQuery(channelSorts),
}
export const ids = z.array(ChannelId).max(10_000)
