import { daySeconds, hourSeconds } from '@tollgate/contract'

import { nowSeconds } from '../../../lib/text/use-now'
import type { LogFilter } from '../log-query'

/** Up to this range a bar is an hour, above it a day. */
const maxHourlySeconds = 8 * daySeconds
/** Longer ranges have more bars than hourly sums return. */
const maxSeconds = 400 * daySeconds
/** Fewer bars are not worth a chart. */
const minBars = 3

export type HistogramQuery = NonNullable<ReturnType<typeof histogramQuery>>

/**
 * Returns the query for calls over time from the hourly sums; undefined where there is no chart: for filters that the sums do not support, and
 * for ranges of few bars. The page knows before anything is loaded, so that the list below never moves.
 */
export function histogramQuery(filter: LogFilter) {
  const now = nowSeconds()
  const { start_timestamp: start, end_timestamp: end = now } = filter
  const { type, group, request_id: request, error_code: code, min_use_time: slow, min_quota: cost } = filter
  const isOfSingleCalls = [type, group, request, code, slow, cost].some((value) => value !== undefined)
  const isExcluding = Object.entries(filter).some(([name, value]) => name.startsWith('not_') && value !== undefined)
  if (start === undefined || isOfSingleCalls || isExcluding || end - start > maxSeconds) return undefined
  const isHourly = end - start <= maxHourlySeconds
  if (isHourly && hourOf(Math.min(end, now)) - hourOf(start) + 1 < minBars) return undefined
  return {
    start_timestamp: start,
    end_timestamp: end,
    granularity: isHourly ? ('hour' as const) : ('day' as const),
    utc_offset: -new Date(start * 1000).getTimezoneOffset(),
    group_by: 'group' as const,
    limit: 1,
    model_name: filter.model_name,
    token_name: filter.token_name,
    ...('username' in filter && { username: filter.username, channel: filter.channel }),
  }
}

const hourOf = (seconds: number): number => Math.floor(seconds / hourSeconds)
