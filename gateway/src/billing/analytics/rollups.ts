import type { UsageFilter } from '../../platform/store/usage-conditions'
import type { Queries } from '../../platform/store/database'

/** The columns of the hourly rollups by which they are added up, each with its number in the table. */
export const dimensions = { model_name: 1, token_name: 2, group: 3, channel_id: 4, user_id: 5 } as const

export type DimensionName = keyof typeof dimensions

export const dimensionNames = ['model_name', 'token_name', 'group', 'channel_id', 'user_id'] as const

/** Bucket size of a row in seconds. */
export const spans = { hour: 3600, day: 86_400 } as const

/** The six figures of a row. */
export const figures = ['count', 'errors', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'] as const

/**
 * What the calls whose cost at the vendor is known were sold for, and what the vendor charges for them; how many are not known; what
 * vendors read from their caches, and charge less for it. Read by themselves.
 */
export const marginFigures = ['sold', 'vendor_cost', 'unpriced', 'cached_tokens', 'cost_saved'] as const

/** What earnings are computed of: all that the sums by upstream key have. */
export const earningFigures = ['count', 'quota', 'prompt_tokens', ...marginFigures] as const

/** Returns the columns a filter has conditions on. */
export function filteredBy({
  modelName,
  modelNames,
  tokenName,
  group,
  channelId,
  userId,
}: UsageFilter): DimensionName[] {
  const filterValues = {
    model_name: modelName ?? modelNames,
    token_name: tokenName,
    group,
    channel_id: channelId,
    user_id: userId,
  }
  return dimensionNames.filter((name) => filterValues[name] !== undefined)
}

/** Whole hours, in seconds: `from` inclusive, `before` exclusive. */
export interface Hours {
  readonly from: number
  readonly before: number
}

/** Returns the hours of the last days until now, the current hour included. */
export function lastDays(days: number, nowMs: number): Hours {
  const before = (Math.floor(nowMs / 1000 / spans.hour) + 1) * spans.hour
  return { from: before - days * spans.day, before }
}

/** Returns the whole UTC days within some hours, if there are any. */
export function daysWithin({ from, before }: Hours): Hours | undefined {
  const first = Math.ceil(from / spans.day) * spans.day
  const after = Math.floor(before / spans.day) * spans.day
  return first < after ? { from: first, before: after } : undefined
}

/** Time in buckets of equal size: a second falls into `floor((second + shift) / size)`. */
export interface TimeBuckets {
  readonly size: number
  readonly shift: number
}

/** Returns whether each bucket consists of whole UTC days. */
export const hasWholeDays = ({ size, shift }: TimeBuckets): boolean => size % spans.day === 0 && shift % spans.day === 0

/** The database, and which hours are added up in it. */
export interface SumProgress {
  readonly query: Queries
  /** Returns the time, in seconds, before which hours are added up by a column, except stale ones. */
  readonly until: (column: DimensionName) => number
  /** Hours that were charged to after they had been added up, the oldest first. */
  readonly stale: readonly number[]
}

export async function readSumProgress(query: Queries): Promise<SumProgress> {
  const [progress, stale] = await Promise.all([
    query.selectFrom('sum_progress').select(['dimension', 'until']).execute(),
    query.selectFrom('stale_hours').select('hour').orderBy('hour').execute(),
  ])
  const untils = new Map(progress.map(({ dimension, until }) => [dimension, until]))
  return {
    query,
    until: (column) => untils.get(dimensions[column]) ?? 0,
    stale: stale.map(({ hour }) => hour),
  }
}
