import type { earningRoutes } from '@tollgate/contract'

import { Chart } from '../../../components/chart'
import type { ChartSeries } from '../../../components/chart/series'
import { useFormat } from '../../../lib/text/use-format'
import { useTranslation } from '../../../lib/text/i18n'
import { isUnfinished } from '../dashboard-range'
import { timeLabel } from '../figures'
import type { EarningView } from './earning-view'

interface EarningChartProps {
  readonly view: EarningView
  readonly data: Pick<earningRoutes.EarningData, 'times' | 'by_time'>
  /** Called with the first second of the time that was chosen. */
  readonly onPick: (time: number) => void
}

const height = 240

/** What calls of known cost were sold for, and their cost: what lies between is the profit. Sale of unknown cost is a line of its own. */
export function EarningChart({ view, data: { times, by_time: byTime }, onPick }: EarningChartProps) {
  const { t } = useTranslation('earnings')
  const { money } = useFormat()
  const unknown = byTime.quota.map((quota, index) => quota - (byTime.sold[index] ?? 0))
  const hasUnknown = unknown.some((quota) => quota > 0)
  const series: readonly ChartSeries[] = [
    { name: hasUnknown ? t('chart.soldOfPart') : t('column.quota'), values: byTime.sold, color: 'var(--chart-1)' },
    { name: t('column.cost'), values: byTime.cost, color: 'var(--chart-2)' },
    ...(hasUnknown ? [{ name: t('chart.unknown'), values: unknown, color: 'var(--quiet)' } as const] : []),
  ]
  return (
    <Chart
      label={t('chart.title')}
      kind="lines"
      height={height}
      times={times.map((time) => timeLabel(time, view.step))}
      isLastOpen={isUnfinished(times.at(-1), view.step, view.now)}
      series={series}
      format={money}
      hasLegend
      onPick={(index) => {
        const time = times[index]
        if (time !== undefined) onPick(time)
      }}
    />
  )
}
