import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { dashboardRoutes } from '@tollgate/contract'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { Chart } from '../../components/chart'
import { StateMessage } from '../../components/state-message'
import { formatCompact } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import { bucketOf } from './dashboard-range'
import { metrics, type DashboardSearch } from './dashboard-search'
import { timeLabel } from './time-label'
import { useSeriesName } from './use-series-name'
import type { DashboardView } from './use-dashboard'

interface OverTimeProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
  readonly isPending: boolean
  readonly onChange: (change: DashboardSearch) => void
}

const height = 280

/** Spend, requests or tokens over time, by model or whatever else is asked for. */
export function OverTime({ view, data, isPending, onChange }: OverTimeProps) {
  const { t } = useTranslation('dashboard')
  const { money } = useFormat()
  const seriesName = useSeriesName(view)
  const navigate = useNavigate()
  const groupings = view.isEverybody ? dashboardRoutes.groupings : dashboardRoutes.ownGroupings
  const title = t('chart.title', { metric: t(`metric.${view.metric}`) })
  return (
    <Paper p="md">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Group gap={8}>
          <SegmentedControl
            size="xs"
            aria-label={t('metric.label')}
            value={view.metric}
            onChange={(metric) => onChange({ metric })}
            data={metrics.map((value) => ({ value, label: t(`metric.${value}`) }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('by.label')}
            value={view.by}
            onChange={(by) => onChange({ by })}
            data={groupings.map((value) => ({ value, label: t(`by.${value}`) }))}
          />
        </Group>
      </Group>
      {isPending && <Skeleton h={height} />}
      {data && data.series.length === 0 && (
        <StateMessage icon={IconChartBarOff} title={t('chart.empty')} hint={t('chart.emptyHint')} isSmall />
      )}
      {data && data.series.length > 0 && (
        <Chart
          label={title}
          kind="bars"
          height={height}
          times={data.times.map((time) => timeLabel(time, view.step))}
          series={data.series.map((series) => ({
            name: seriesName(series),
            values: series.by_time[view.metric],
            isRest: series.is_other,
          }))}
          format={view.metric === 'quota' ? money : formatCompact}
          onPick={(index) => {
            const time = data.times[index]
            if (time === undefined) return
            void navigate({
              to: '/app/logs/api-usage',
              search: { ...bucketOf(time, view.step), username: view.username },
            })
          }}
        />
      )}
    </Paper>
  )
}
