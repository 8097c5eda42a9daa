import { daySeconds } from '@tollgate/contract'
import { formatTime } from '../../../lib/text/format'
import type { LogFilter } from '../log-query'

/** Up to this range a bar is an hour, above it a day. */
const longestHourly = 8 * daySeconds
/** Longer ranges have more bars than hourly sums return. */
const longest = 400 * daySeconds

/** Returns the query for calls over time from the hourly sums; undefined for filters that the sums do not support. */
export function histogramQuestion(filter: LogFilter) {
  const { start_timestamp: start, end_timestamp: end = Math.floor(Date.now() / 1000) } = filter
  const { type, group, request_id: request, error_code: code, min_use_time: slow, min_quota: cost } = filter
  const isOfSingleCalls = [type, group, request, code, slow, cost].some((wanted) => wanted !== undefined)
  const isExcluding = Object.entries(filter).some(([name, value]) => name.startsWith('not_') && value !== undefined)
  if (start === undefined || isOfSingleCalls || isExcluding || end - start > longest) return undefined
  return {
    start_timestamp: start,
    end_timestamp: end,
    granularity: end - start <= longestHourly ? ('hour' as const) : ('day' as const),
    utc_offset: -new Date(start * 1000).getTimezoneOffset(),
    group_by: 'group' as const,
    limit: 1,
    model_name: filter.model_name,
    token_name: filter.token_name,
    ...('username' in filter && { username: filter.username, channel: filter.channel }),
  }
}

/** Returns the labels of the bars: the day for daily bars, the time within one day, or else both. */
export function barLabels(times: readonly number[], granularity: 'hour' | 'day' | undefined): string[] {
  const isOneDay = new Set(times.map((time) => formatTime(time).slice(0, 10))).size === 1
  const [from, to] = granularity === 'day' ? [5, 10] : isOneDay ? [11, 16] : [5, 16]
  return times.map((time) => formatTime(time).slice(from, to))
}
