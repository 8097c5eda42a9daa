import { daySeconds, dashboardRoutes } from '@tollgate/contract'
import { useMemo } from 'react'

import classes from '../logs.module.css'
import { Chart } from '../../../components/chart'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import type { LogFilter } from '../log-query'
import type { LogSearch } from '../log-search'
import { formatTime } from '../../../lib/text/format'

interface HistogramProps {
  readonly filter: LogFilter
  /** Called with the range that was clicked or dragged; unix seconds, inclusive. */
  readonly onRange: (range: Pick<LogSearch, 'from' | 'to'>) => void
}

/** Fewer bars are not worth a chart. */
const fewestBars = 3

/** Calls and failures within the filters over time, from the hourly sums. Hidden for filters that those do not support. */
export function Histogram({ filter, onRange }: HistogramProps) {
  const { t } = useTranslation('logs')
  const readsAll = useViewer().may('logs.read')
  const { number } = useFormat()
  const question = histogramQuestion(filter)
  const { data, error } = useRead(
    readsAll ? dashboardRoutes.dashboard : dashboardRoutes.ownDashboard,
    { query: question ?? {} },
    { enabled: question !== undefined },
  )
  const times = data?.times
  const labels = useMemo(() => barLabels(times ?? [], question?.granularity), [times, question?.granularity])
  if (!question) return null
  if (!data && !error) return <div className={classes.histogram} data-is-waiting />
  if (!data || data.times.length < fewestBars) return null
  const rangeOf = (first: number, last: number) => {
    const from = data.times[first]
    const next = data.times[last + 1]
    onRange({ from, to: next === undefined ? undefined : next - 1 })
  }
  return (
    <div className={classes.histogram}>
      <Chart
        label={t('histogram.label')}
        kind="bars"
        height={96}
        times={labels}
        series={[
          { name: t('histogram.calls'), values: data.totals_by_time.count, color: 'var(--chart-1)' },
          { name: t('histogram.errors'), values: data.totals_by_time.errors, color: 'var(--bad)' },
        ]}
        format={(calls) => (Number.isInteger(calls) ? number(calls) : '')}
        onPick={(index) => rangeOf(index, index)}
        onBrush={rangeOf}
      />
    </div>
  )
}

/** Up to this range a bar is an hour, above it a day. */
const maxHourlySeconds = 8 * daySeconds
/** Longer ranges have more bars than hourly sums return. */
const maxSeconds = 400 * daySeconds

/** Returns the query for calls over time from the hourly sums; undefined for filters that the sums do not support. */
export function histogramQuestion(filter: LogFilter) {
  const { start_timestamp: start, end_timestamp: end = Math.floor(Date.now() / 1000) } = filter
  const { type, group, request_id: request, error_code: code, min_use_time: slow, min_quota: cost } = filter
  const isOfSingleCalls = [type, group, request, code, slow, cost].some((value) => value !== undefined)
  const isExcluding = Object.entries(filter).some(([name, value]) => name.startsWith('not_') && value !== undefined)
  if (start === undefined || isOfSingleCalls || isExcluding || end - start > maxSeconds) return undefined
  return {
    start_timestamp: start,
    end_timestamp: end,
    granularity: end - start <= maxHourlySeconds ? ('hour' as const) : ('day' as const),
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
