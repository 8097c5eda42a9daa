import { dashboardRoutes } from '@tollgate/contract'
import { useMemo } from 'react'

import classes from '../logs.module.css'
import { Chart } from '../../../components/chart'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import type { HistogramQuery } from './histogram-query'
import type { LogSearch } from '../log-search'
import { formatTime } from '../../../lib/text/format'

interface HistogramProps {
  readonly query: HistogramQuery
  /** Called with the range that was clicked or dragged; unix seconds, inclusive. */
  readonly onRange: (range: Pick<LogSearch, 'from' | 'to'>) => void
}

/** Calls and failures within the filters over time, from the hourly sums. */
export function Histogram({ query, onRange }: HistogramProps) {
  const { t } = useTranslation('logs')
  const readsAll = useViewer().may('logs.read')
  const { number } = useFormat()
  const label = t(`histogram.${query.granularity}`)
  const { data, error } = useRead(readsAll ? dashboardRoutes.dashboard : dashboardRoutes.ownDashboard, { query })
  const times = data?.times
  const labels = useMemo(() => barLabels(times ?? [], query.granularity), [times, query.granularity])
  if (!data)
    return (
      <div className={classes.histogram} data-is-waiting>
        {error && (
          <>
            <h2>{label}</h2>
            <p className={classes.unread}>{error.message}</p>
          </>
        )}
      </div>
    )
  const rangeOf = (first: number, last: number) => {
    const from = data.times[first]
    const next = data.times[last + 1]
    onRange({ from, to: next === undefined ? undefined : next - 1 })
  }
  return (
    <div className={classes.histogram}>
      <h2>{label}</h2>
      <Chart
        label={label}
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

/** Returns the labels of the bars: the day for daily bars, the time within one day, or else both. */
export function barLabels(times: readonly number[], granularity: 'hour' | 'day'): string[] {
  const isOneDay = new Set(times.map((time) => formatTime(time).slice(0, 10))).size === 1
  const [from, to] = granularity === 'day' ? [5, 10] : isOneDay ? [11, 16] : [5, 16]
  return times.map((time) => formatTime(time).slice(from, to))
}
