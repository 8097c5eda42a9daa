import { daySeconds, hourSeconds, type dashboardRoutes } from '@tollgate/contract'

import type { Hours, TimeBuckets } from '../../billing/analytics/rollups'
import type { UsageFilter } from '../../platform/store/usage-conditions'
import { AppError } from '../../platform/app-error'

/** The query of a chart. */
export interface ChartQuery {
  readonly filter: UsageFilter
  readonly span: Hours
  readonly grouping: dashboardRoutes.Grouping
  readonly buckets: Buckets
}

/** The query of the dashboard. */
export interface ConsumptionQuery extends Omit<ChartQuery, 'buckets'> {
  readonly granularity: dashboardRoutes.Granularity
  readonly utcOffset: number
  /** Series kept. */
  readonly limit: number
  readonly hasMeasures?: boolean
  /** What vendors charge; not for users. */
  readonly hasMargin?: boolean
}

/** The equal buckets of time of a chart. */
export interface Buckets extends TimeBuckets {
  /** The bucket in which the span begins. */
  readonly first: number
  /** Where each begins, in seconds. */
  readonly times: readonly number[]
}

const sizes = { hour: hourSeconds, day: daySeconds, week: 7 * daySeconds } as const

/** 1 January 1970 was a Thursday, three days after a Monday. */
const mondayShift = 3 * daySeconds

/** Returns all buckets that contain a part of the span. An hour that spans two days belongs to the one it begins in. */
export function bucketsOf(span: Hours, granularity: dashboardRoutes.Granularity, utcOffsetMinutes: number): Buckets {
  const size = sizes[granularity]
  const shift = granularity === 'hour' ? 0 : utcOffsetMinutes * 60 + (granularity === 'week' ? mondayShift : 0)
  const first = Math.floor((span.from + shift) / size)
  const last = Math.floor((span.before - hourSeconds + shift) / size)
  const times = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * size - shift)
  return { size, shift, first, times }
}

interface RequestedRange {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}

interface SpanLimits {
  /** In seconds: the default without a start, and the maximum. */
  readonly usual: number
  readonly max: number
}

const hourOf = (time: number) => Math.floor(time / hourSeconds) * hourSeconds

/**
 * Returns the whole hours of a range that ends at `now` (seconds) at the latest; a range that is too long keeps its end.
 * @throws AppError `param.invalid` for a range that ends before it begins.
 */
export function spanOf(requestedRange: RequestedRange, now: number, { usual, max }: SpanLimits): Hours {
  const end = Math.max(Math.min(requestedRange.end_timestamp || now, now), 0)
  const before = hourOf(end) + hourSeconds
  const start = Math.max(requestedRange.start_timestamp ?? before - usual, 0)
  if (start > end) throw new AppError('param.invalid', { params: { field: 'end_timestamp' } })
  return { from: Math.max(hourOf(start), before - max), before }
}

/** Returns the previous span of the same length. */
export const spanBefore = ({ from, before }: Hours): Hours => ({ from: from - (before - from), before: from })
