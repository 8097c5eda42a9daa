import { Group, Paper, Text, Title } from '@mantine/core'
import type { dashboardRoutes } from '@tollgate/contract'
import { Link, useNavigate } from '@tanstack/react-router'

import { healthLevel, healthLevels } from '../../components/chart/health-level'
import { HeatMap } from '../../components/chart/heat-map'
import { ErrorState } from '../../components/page/error-state'
import { useTranslation } from '../../lib/i18n'
import { useViewer } from '../../lib/session'
import { useFormat } from '../../lib/use-format'
import classes from './dashboard.module.css'
import { bucketWithin } from './dashboard-range'
import { errorShare } from './figures'
import { timeLabel } from './time-label'
import { useChannelHealth, type DashboardView } from './use-dashboard'

type Cell = dashboardRoutes.ChannelHealth['cells'][number]

/** Every channel by the hour: the share of its calls that succeeded. */
export function HealthMap({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const { data, error, refetch } = useChannelHealth(view)
  const words = useCellWords()
  const navigate = useNavigate()
  const mayOpenChannels = useViewer().may('channels.read')
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
      <HeatMap
        label={t('health.title')}
        times={data.times.map((time) => timeLabel(time, 'hour'))}
        rows={data.channels.map(({ id, name, cells }) => ({
          key: id,
          name: mayOpenChannels ? (
            <Link to="/admin/channels" search={{ edit: String(id) }} title={name}>
              {name}
            </Link>
          ) : (
            name
          ),
          levels: cells.map(healthLevel),
        }))}
        onPick={(row, time) => {
          const [channel, from] = [data.channels[row], data.times[time]]
          if (!channel || from === undefined) return
          const search = { ...bucketWithin(from, 'hour', view.range), channel: channel.id }
          void navigate({ to: '/app/logs/api-usage', search })
        }}
        describe={(row, time) => {
          const channel = data.channels[row]
          // The names beside the map are not read out when the arrow keys change the row.
          return `${channel?.name}\n${words(data.times[time] ?? 0, channel?.cells[time] ?? null)}`
        }}
      />
    </Paper>
  )
}

/** Returns a function that describes a cell. */
function useCellWords() {
  const { t } = useTranslation('dashboard')
  const { share } = useFormat()
  return (at: number, cell: Cell): string => {
    const time = timeLabel(at, 'hour')
    if (!cell) return t('health.quiet', { time })
    const { count, errors } = cell
    return [
      t('health.answered', { time, share: share(1 - errorShare(cell)) }),
      t('health.calls', { count }),
      errors > 0 && t('health.failed', { count: errors }),
    ]
      .filter(Boolean)
      .join('\n')
  }
}

function Legend() {
  const { t } = useTranslation('dashboard')
  return (
    <Group gap={10}>
      {healthLevels.map((level) => (
        <Group key={level} gap={4} wrap="nowrap">
          <span className={classes.swatch} data-level={level} />
          <Text size="xs" c="dimmed">
            {t(`health.level.${level}`)}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
