import { daySeconds, hourSeconds, type dashboardRoutes } from '@tollgate/contract'

import type { Hours, TimeBuckets } from '../../billing/analytics/hours'

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
