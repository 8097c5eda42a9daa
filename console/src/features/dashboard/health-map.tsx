import { Group, Paper, Text, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../components/error-state'
import { Tip } from '../../components/tip'
import { formatDuration } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import { errorShare } from './figures'
import { timeLabel } from './time-label'
import { useChannelHealth } from './use-dashboard'

type Cell = dashboardRoutes.ChannelHealth['cells'][number]

/** Every channel by the hour: how much of what it was asked it answered. */
export function HealthMap({ days }: { readonly days: number }) {
  const { t } = useTranslation('dashboard')
  const { data, error, refetch } = useChannelHealth(days)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!data || data.channels.length === 0) return null
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} size="h3">
          {t('health.title')}
        </Title>
        <Legend />
      </Group>
      <div className={classes.map} role="region" aria-label={t('health.title')} tabIndex={0}>
        {data.channels.map(({ id, name, cells }) => (
          <div key={id} className={classes.mapRow}>
            <Text size="xs" className={classes.mapName} truncate title={name}>
              <Link to="/admin/channels" search={{ edit: String(id) }}>
                {name}
              </Link>
            </Text>
            <div className={classes.cells}>
              {cells.map((cell, index) => (
                <HealthCell key={data.times[index]} cell={cell} time={data.times[index] ?? 0} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </Paper>
  )
}

function HealthCell({ cell, time }: { readonly cell: Cell; readonly time: number }) {
  const { t } = useTranslation('dashboard')
  const { number, share } = useFormat()
  const label = cell
    ? t('health.cell', {
        time: timeLabel(time, 'hour'),
        share: share(1 - errorShare(cell)),
        count: number(cell.count),
        errors: number(cell.errors),
        mean: formatDuration(cell.count === 0 ? 0 : (cell.seconds / cell.count) * 1000),
      })
    : t('health.quiet', { time: timeLabel(time, 'hour') })
  return (
    <Tip label={label}>
      <span className={classes.cell} data-level={levelOf(cell)} role="img" aria-label={label} />
    </Tip>
  )
}

const levels = ['good', 'fair', 'poor', 'bad'] as const

/** Below 1, 10 and 50 percent of failed attempts. */
export function levelOf(cell: Cell): (typeof levels)[number] | 'quiet' {
  if (!cell || cell.count + cell.errors === 0) return 'quiet'
  const failed = errorShare(cell)
  if (failed < 0.01) return 'good'
  if (failed < 0.1) return 'fair'
  return failed < 0.5 ? 'poor' : 'bad'
}

function Legend() {
  const { t } = useTranslation('dashboard')
  return (
    <Group gap={10}>
      {levels.map((level) => (
        <Group key={level} gap={4} wrap="nowrap">
          <span className={classes.cell} data-level={level} style={{ width: 10, height: 10 }} />
          <Text size="xs" c="dimmed">
            {t(`health.${level}`)}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
