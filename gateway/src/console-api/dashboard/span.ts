import { hourSeconds } from '@tollgate/contract'
import type { Hours } from '../../billing/analytics/hours'
import { AppError } from '../../platform/app-error'

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
