import { dashboardRoutes } from '@tollgate/contract'
import { useMemo } from 'react'

import { Chart } from '../../../components/chart'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { useFormat } from '../../../lib/text/use-format'
import { barLabels, histogramQuestion } from './histogram-question'
import type { LogFilter } from '../log-query'
import type { LogSearch } from '../log-search'
import classes from '../logs.module.css'

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
