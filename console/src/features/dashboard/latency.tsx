import { Group, Paper, SegmentedControl, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { Chart } from '../../components/chart'
import { StatFact } from '../../components/stat/stat-card'
import { useFormat } from '../../lib/text/use-format'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import classes from './dashboard.module.css'
import { isUnfinished } from './dashboard-range'
import { timeLabel } from './figures'
import type { DashboardView } from './use-dashboard'

interface LatencyProps {
  readonly view: DashboardView
  readonly data: dashboardRoutes.DashboardData
  readonly measures: dashboardRoutes.MeasuresOverview
}

type Timed = 'first_token' | 'whole'
const height = 190

/** Time to the first token and to the whole response, and the speed of tokens. */
export function Latency({ view, data, measures }: LatencyProps) {
  const { t } = useTranslation('dashboard')
  const { number } = useFormat()
  const [chosen, setChosen] = useState<Timed>()
  const { totals, previous, by_time: byTime } = measures
  const timed = chosen ?? (totals.first_token_ms || !totals.whole_ms ? 'first_token' : 'whole')
  const now = totals[`${timed}_ms`]
  const before = previous[`${timed}_ms`]
  const title = t('latency.title')
  return (
    <Paper p="md" className={classes.panel}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('latency.of')}
          value={timed}
          onChange={setChosen}
          data={(['first_token', 'whole'] as const).map((value) => ({ value, label: t(`latency.${value}`) }))}
        />
      </Group>
      <div className={classes.facts}>
        <StatFact
          name={t('latency.p50')}
          value={now && formatDuration(now.p50)}
          note={before && t('latency.before', { value: formatDuration(before.p50) })}
          color={colors.p50}
        />
        <StatFact
          name={t('latency.p95')}
          value={now && formatDuration(now.p95)}
          note={before && t('latency.before', { value: formatDuration(before.p95) })}
          color={colors.p95}
        />
        <StatFact
          name={t('latency.speed')}
          value={totals.tokens_per_second === null ? null : number(totals.tokens_per_second)}
          note={
            previous.tokens_per_second === null
              ? null
              : t('latency.before', { value: number(previous.tokens_per_second) })
          }
        />
      </div>
      {now ? (
        <Chart
          label={`${title}: ${t(`latency.${timed}`)}`}
          kind="lines"
          height={height}
          times={data.times.map((time) => timeLabel(time, view.step))}
          isLastOpen={isUnfinished(data.times.at(-1), view.step, view.now)}
          series={[
            { name: t('latency.p95'), values: byTime[`${timed}_p95`], color: colors.p95 },
            { name: t('latency.p50'), values: byTime[`${timed}_p50`], color: colors.p50 },
          ]}
          format={formatDuration}
          hasLegend={false}
        />
      ) : (
        <p className={classes.nothing}>{t(timed === 'whole' ? 'latency.nothing' : 'latency.nothingStreamed')}</p>
      )}
      {totals.calls > 0 && totals.calls < data.totals.count && (
        <p className={classes.hint}>
          {t('latency.partly', { measured: number(totals.calls), calls: number(data.totals.count) })}
        </p>
      )}
    </Paper>
  )
}

const colors = { p50: 'var(--chart-1)', p95: 'var(--chart-2)' } as const
