import { Button, Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import { dashboardRoutes } from '@tollgate/contract'
import { Link, useNavigate } from '@tanstack/react-router'

import { Chart } from '../../components/chart'
import { StateMessage } from '../../components/page/state-message'
import { useFormat } from '../../lib/text/use-format'
import { formatCompact } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { Breakdown } from './breakdown'
import classes from './dashboard.module.css'
import { bucketWithin, isUnfinished } from './dashboard-range'
import { timeLabel } from './figures'
import { metrics, type DashboardSearch } from './dashboard-search'
import { type DashboardView, useSeriesName } from './use-dashboard'

interface UsageProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData | undefined
  readonly isPending: boolean
  /** False: measures are not available for this view. */
  readonly hasMeasures: boolean
  readonly onChange: (change: DashboardSearch) => void
}

const height = 260

/** The series of the chart and the rest. */
const waitingRows = 9

/** In the shape of the table below the chart. */
const WaitingRows = () => (
  <div className={classes.breakdown} aria-hidden>
    <div className={classes.waitingRow} />
    {Array.from({ length: waitingRows + 1 }, (_, row) => (
      <div key={row} className={classes.waitingRow}>
        <Skeleton h={12} w={140} />
        <Skeleton h={12} w={60} ml="auto" />
        <Skeleton h={12} w={110} />
      </div>
    ))}
  </div>
)

/** Spending, requests or tokens over time, and below it the same by model or another grouping. */
export function Usage({ view, data, isPending, hasMeasures, onChange }: UsageProps) {
  const { t } = useTranslation('dashboard')
  const { money } = useFormat()
  const seriesName = useSeriesName(view)
  const navigate = useNavigate()
  const groupings = view.isAllUsers ? dashboardRoutes.groupings : dashboardRoutes.ownGroupings
  const title = t('chart.title', { metric: t(`metric.${view.metric}`) })
  const series = data?.series.map((one) => ({
    name: seriesName(one),
    values: one.by_time[view.metric],
    isRest: one.is_other,
  }))
  return (
    <Paper>
      <Group justify="space-between" p="md" pb="sm" gap="sm">
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
      <div style={{ padding: '0 var(--gap-lg) var(--gap-sm)' }}>
        {isPending && <Skeleton h={height} />}
        {data && data.series.length === 0 && (
          <StateMessage
            icon={IconChartBarOff}
            title={t('chart.empty')}
            hint={t('chart.emptyHint')}
            isSmall
            action={
              <Button variant="default" renderRoot={(props) => <Link to="/playground" {...props} />}>
                {t('chart.emptyAction')}
              </Button>
            }
          />
        )}
        {data && series && series.length > 0 && (
          <Chart
            label={title}
            kind="bars"
            height={height}
            times={data.times.map((time) => timeLabel(time, view.step))}
            isLastOpen={isUnfinished(data.times.at(-1), view.step, view.now)}
            series={series}
            format={view.metric === 'quota' ? money : formatCompact}
            // The table below names the colours.
            hasLegend={false}
            onPick={(index) => {
              const time = data.times[index]
              if (time === undefined) return
              void navigate({
                to: '/app/logs/api-usage',
                search: { ...bucketWithin(time, view.step, view.range), username: view.username },
              })
            }}
          />
        )}
      </div>
      {data && <Breakdown view={view} data={data} hasMeasures={hasMeasures} />}
      {isPending && <WaitingRows />}
    </Paper>
  )
}
