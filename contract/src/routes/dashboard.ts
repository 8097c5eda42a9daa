import * as z from 'zod'

import { route } from '../http/route'
import { flagText, plainText, wholeNumberText } from '../pricing/units'

/**
 * The dashboard is drawn from hourly rollups, so its ranges are whole hours: those that contain the two ends are included. What a call
 * counts as:
 *
 * - `count`: calls that were answered and charged, including free ones. Failed calls are not among them.
 * - `errors`: attempts that failed at a channel, counted at that channel. A call that fails at one channel and is answered by the next is
 * one error of the first and one count of the second; a call refused before any channel was tried (no balance, limits, no channel) is
 * neither. Attempts abandoned by the client are not errors.
 * - `quota`, tokens and `use_time` are those of the counted calls. Each call adds its time in whole seconds, so no mean of fast calls follows
 * from it: `measures` has how long they took.
 *
 * Both are counted whether or not the call leaves a row in the log.
 */
const sums = {
  count: z.number().int(),
  errors: z.number().int(),
  quota: z.number().int(),
}

export const granularities = ['hour', 'day', 'week'] as const
export type Granularity = (typeof granularities)[number]

export const ownGroupings = ['model', 'token', 'group'] as const
export const groupings = [...ownGroupings, 'channel', 'user'] as const
export type Grouping = (typeof groupings)[number]

export const maxDashboardDays = 400
export const maxHealthDays = 7
export const maxSeries = 50
export const maxHealthChannels = 300

const name = plainText(255).optional()
export const within = (lowest: number, highest: number) =>
  wholeNumberText.pipe(z.number().min(lowest).max(highest).optional()).optional()

/** A misspelled parameter would silently give another answer, so unknown ones are refused. */
export const Range = z.strictObject({
  start_timestamp: wholeNumberText.optional(),
  /** Default and maximum: now. */
  end_timestamp: wholeNumberText.optional(),
})

/** Without a start: the last 7 days. A longer range than `maxDashboardDays` keeps its end. */
const OwnQuery = Range.extend({
  granularity: z.enum(granularities).default('day'),
  /** Minutes east of UTC: where days and weeks begin. Weeks begin on Monday, hours always as in UTC. */
  utc_offset: within(-840, 840),
  group_by: z.enum(ownGroupings).default('model'),
  /** Series kept, 8 by default; the rest is summed as one more. */
  limit: within(1, maxSeries),
  /** The exact name, or a pattern in which `%` stands for any text. */
  model_name: name,
  token_name: name,
  /** With `measures`: how fast calls were, what caches saved and why attempts failed. */
  measures: flagText.default(false),
})
const AnyQuery = OwnQuery.extend({
  group_by: z.enum(groupings).default('model'),
  username: name,
  channel: wholeNumberText.optional(),
})
export type DashboardQuery = z.output<typeof AnyQuery>

export const numbers = z.array(z.number().int())

export const DashboardTotals = z.object({
  ...sums,
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** Sum of the calls’ times, each rounded to whole seconds. */
  use_time: z.number().int(),
})
export type DashboardTotals = z.output<typeof DashboardTotals>

const milliseconds = z.number().int().min(0)

/** Half of all calls, and 95 in a hundred, took no longer; at most a sixteenth off. */
export const Percentiles = z.object({ p50: milliseconds, p95: milliseconds })
export type Percentiles = z.output<typeof Percentiles>

/** Covers the calls that have measures: those that were charged by a release that knows them. */
export const DashboardMeasures = z.object({
  calls: sums.count,
  prompt_tokens: z.number().int(),
  /** Those of them that were read from a cache. */
  cached_tokens: z.number().int(),
  /** Quota by which they were cheaper than at the full input price of each call; the cost of writing to caches is not subtracted. */
  cache_saved: z.number().int(),
  /** Completion tokens by the time in which they arrived: from the first token on where responses were streamed. */
  tokens_per_second: z.number().nullable(),
  /** Until the first token of streamed responses. */
  first_token_ms: Percentiles.nullable(),
  /** Until the end. */
  whole_ms: Percentiles.nullable(),
})
export type DashboardMeasures = z.output<typeof DashboardMeasures>

const measured = z.array(milliseconds.nullable())

export const MeasuresOverview = z.object({
  totals: DashboardMeasures,
  /** The previous span of the same length. */
  previous: DashboardMeasures,
  /** One for each of `times`; null where there is nothing to measure. */
  by_time: z.object({
    first_token_p50: measured,
    first_token_p95: measured,
    whole_p50: measured,
    whole_p95: measured,
    tokens_per_second: z.array(z.number().nullable()),
    prompt_tokens: numbers,
    cached_tokens: numbers,
    cache_saved: numbers,
  }),
  /** Failed attempts by the code of their log rows, most frequent first. */
  errors: z.array(z.object({ code: z.string(), count: z.number().int() })),
})
export type MeasuresOverview = z.output<typeof MeasuresOverview>

/** Covers the calls whose cost at the vendor is known, since a release that adds it up. */
export const Margin = z.object({
  /** Quota that they were charged. */
  sold: z.number().int(),
  /** Quota that the vendor charges for them. */
  cost: z.number().int(),
  /** Quota by which it charges less because it read tokens from its cache. */
  saved: z.number().int(),
})
export type Margin = z.output<typeof Margin>

export const MarginOverview = z.object({
  totals: Margin,
  /** The previous span of the same length. */
  previous: Margin,
  /** One for each of `times`. */
  by_time: z.object({ sold: numbers, cost: numbers }),
})
export type MarginOverview = z.output<typeof MarginOverview>

export const DashboardSeries = z.object({
  /** The id of the channel or user; null where names are grouped, and for the rest. */
  id: z.number().int().nullable(),
  /** `#id` for a channel or user that is gone; empty for the rest, and for calls without such a name. */
  name: z.string(),
  /** Everything that is not among the series kept, as one; always the last. */
  is_other: z.boolean(),
  ...sums,
  tokens: z.number().int(),
  /** One number for each of `times`. */
  by_time: z.object({ count: numbers, quota: numbers, tokens: numbers }),
  /** Where they were requested; null for the rest, and where they are not kept by such a column within the filter. */
  measures: DashboardMeasures.nullable().optional(),
  /** With measures of all users, for those who may see costs. */
  margin: Margin.optional(),
})
export type DashboardSeries = z.output<typeof DashboardSeries>

export const DashboardData = z.object({
  totals: DashboardTotals,
  /** The previous span of the same length. */
  previous: DashboardTotals,
  /** Where each bucket begins, without gaps. The first may begin before the range and only covers what is in the range. */
  times: numbers,
  /** One number for each of `times`. */
  totals_by_time: z.object({ count: numbers, errors: numbers, quota: numbers, tokens: numbers }),
  /** By descending quota, then count. */
  series: z.array(DashboardSeries),
  /**
   * Where they were requested; null within filters by which they are not kept: those of one user may have any filter, those of all users
   * one.
   */
  measures: MeasuresOverview.nullable().optional(),
  /** With measures, for those who may see costs: what calls brought and what vendors charge for them. */
  margin: MarginOverview.optional(),
})
export type DashboardData = z.output<typeof DashboardData>

export const ChannelHealth = z.object({
  id: z.number().int(),
  /** `#id` for a channel that is gone. */
  name: z.string(),
  /** As on the channel; 0: gone. */
  status: z.number().int(),
  /** One for each of `times`; null: no traffic. */
  cells: z.array(
    z
      .object({
        count: sums.count,
        errors: sums.errors,
      })
      .nullable(),
  ),
})
export type ChannelHealth = z.output<typeof ChannelHealth>

export const ChannelHealthData = z.object({
  times: numbers,
  /** The worst first: disabled after an error, then by failed attempts, a few of which count less, then by traffic. */
  channels: z.array(ChannelHealth),
  /** Channels that have traffic in the span, are enabled, or are disabled after an error; the next three are among them. */
  total: z.number().int(),
  /** Disabled after an error, or enabled and failing: see `isFailing`. */
  failing: z.number().int(),
  /** With less than one failed attempt in a hundred. */
  healthy: z.number().int(),
  /** Without traffic. */
  quiet: z.number().int(),
})
export type ChannelHealthData = z.output<typeof ChannelHealthData>

export const dashboard = route({
  method: 'GET',
  path: '/api/data',
  access: 'logs.read',
  summary: 'What all users consumed, over time and by model, token, group, channel or user',
  query: AnyQuery,
  data: DashboardData,
})

export const ownDashboard = route({
  method: 'GET',
  path: '/api/data/self',
  access: 'calls',
  isViewable: true,
  summary: 'What the caller consumed, over time and by model, token or group',
  query: OwnQuery,
  data: DashboardData,
})

/** Without a start: the last 24 hours. A longer range than `maxHealthDays` keeps its end. */
export const channelHealth = route({
  method: 'GET',
  path: '/api/data/channels',
  access: ['logs.read', 'channels.read'],
  summary: 'Calls and failed attempts of each channel by the hour, the worst first',
  query: Range.extend({
    /** The channels to list by the hour, `maxHealthChannels` by default; all are counted. */
    limit: within(1, maxHealthChannels),
  }),
  data: ChannelHealthData,
})
