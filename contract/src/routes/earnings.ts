import * as z from 'zod'

import { fileRoute, route } from '../http/route'
import { flagText, plainText, wholeNumberText } from '../pricing/units'
import { granularities, numbers, Range, within } from './dashboard'

/**
 * What calls were sold for and what their vendors charge, from the same sums as the dashboard. What a call costs at its vendor is known
 * where the channel has an entry, a factor or a list price for the model. Calls without are counted by themselves: their cost is not
 * known, which is not the same as nothing, and profit is that of the others.
 */
const Sums = {
  /** Calls that were answered and charged, including free ones. */
  count: z.number().int(),
  /** Quota that all of them were charged. */
  quota: z.number().int(),
  /** Quota that those whose cost is known were charged. */
  sold: z.number().int(),
  /** Quota that the vendors charge for these. */
  cost: z.number().int(),
  /** Calls whose cost is not known; they were sold for `quota` less `sold`. */
  unpriced: z.number().int(),
  prompt_tokens: z.number().int(),
  /** Those of them that vendors read from their caches, and the quota by which they charge less for it. */
  cached_tokens: z.number().int(),
  saved: z.number().int(),
}
export const EarningSums = z.object(Sums)
export type EarningSums = z.output<typeof EarningSums>

export const earningGroupings = ['time', 'channel', 'key', 'model', 'group', 'user'] as const
export type EarningGrouping = (typeof earningGroupings)[number]

export const earningSorts = [
  'name',
  'count',
  'quota',
  'cost',
  'profit',
  'margin',
  'unpriced',
  'cached',
  'saved',
] as const
export type EarningSort = (typeof earningSorts)[number]

const maxEarningRows = 500

const name = plainText(255).optional()

/** Without a start: the last 7 days. A longer range than `maxDashboardDays` keeps its end. */
const Selection = Range.extend({
  granularity: z.enum(granularities).default('day'),
  /** Minutes east of UTC: where days and weeks begin. Weeks begin on Monday, hours always as in UTC. */
  utc_offset: within(-840, 840),
  group_by: z.enum(earningGroupings).default('channel'),
  sort: z.enum(earningSorts).default('profit'),
  descending: flagText.default(true),
  channel: wholeNumberText.optional(),
  /** The fingerprint of an upstream key. Sums by or of keys are kept by channel and key alone, so no filter but the channel may stand beside it. */
  key: name,
  /** The exact name, or a pattern in which `%` stands for any text. */
  model_name: name,
  group: name,
  username: name,
})
const Query = Selection.extend({
  /** Rows kept, 100 by default; the rest is summed as one more. */
  limit: within(1, maxEarningRows),
})

export const EarningRow = EarningSums.extend({
  /** The id of the channel or user, the first second of the bucket of time; null where names are grouped. */
  id: z.number().int().nullable(),
  /** `#id` for a channel or user that is gone; empty for times, and for calls without such a name. */
  name: z.string(),
  /** By key: its fingerprint; empty where it is not known. */
  key: z.string().optional(),
})
export type EarningRow = z.output<typeof EarningRow>

export const EarningData = z.object({
  totals: EarningSums,
  /** The previous span of the same length. */
  previous: EarningSums,
  /** Where each bucket begins, without gaps. The first may begin before the range and only covers what is in the range. */
  times: numbers,
  /** One number for each of `times`. */
  by_time: z.object({ quota: numbers, sold: numbers, cost: numbers }),
  rows: z.array(EarningRow),
  /** What is not among the rows, and of how many; null: nothing. */
  rest: EarningSums.extend({ rows: z.number().int() }).nullable(),
})
export type EarningData = z.output<typeof EarningData>

export const earnings = route({
  method: 'GET',
  path: '/api/data/earnings',
  access: 'costs.read',
  summary: 'Sale, cost and profit over time and by channel, upstream key, model, group or user',
  query: Query,
  data: EarningData,
})

export const exportEarnings = fileRoute({
  method: 'GET',
  path: '/api/data/earnings/export',
  access: 'costs.read',
  media: 'text/csv',
  limit: 'export',
  summary: 'All rows of the earnings as a table',
  query: Selection,
})
