import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { dashboardRoutes } from '@tollgate/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { healthLevel, healthLevels } from '../../components/chart/health-level'
import { HeatMap, type HeatLevel } from '../../components/chart/heat-map'
import { ErrorState } from '../../components/page/state-message'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useFormat } from '../../lib/text/use-format'
import classes from './dashboard.module.css'
import { bucketWithin } from './dashboard-range'
import { errorShare, timeLabel } from './figures'
import { useChannelHealth, worstShown, type DashboardView } from './use-dashboard'

type Cell = dashboardRoutes.ChannelHealth['cells'][number]

/** The worst channels by the hour: the share of their calls that succeeded. The others are folded under a line that counts them. */
export function HealthMap({ view }: { readonly view: DashboardView }) {
  const { t } = useTranslation('dashboard')
  const [isWhole, setWhole] = useState(false)
  const limit = isWhole ? dashboardRoutes.maxHealthChannels : worstShown
  const { data, error, refetch } = useChannelHealth(view, limit)
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
            <Link to="/admin/channels" search={{ open: id }} title={name}>
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
      {!isWhole && <Folded health={data} onExpand={() => setWhole(true)} />}
    </Paper>
  )
}

/** "90 more channels: 88 above 99 %, 2 without calls", which unfolds them. */
function Folded({
  health,
  onExpand,
}: {
  readonly health: dashboardRoutes.ChannelHealthData
  readonly onExpand: () => void
}) {
  const { t } = useTranslation('dashboard')
  const { total, channels, healthy, quiet } = health
  const more = total - channels.length
  if (more <= 0) return null
  const listed = channels.map(levelOf)
  const countUnlisted = (all: number, level: HeatLevel) => all - listed.filter((one) => one === level).length
  const [good, without] = [countUnlisted(healthy, 'good'), countUnlisted(quiet, 'quiet')]
  const parts = [
    good > 0 && t('health.above', { count: good }),
    more > good + without && t('health.below', { count: more - good - without }),
    without > 0 && t('health.without', { count: without }),
  ].filter(Boolean)
  return (
    <Button
      className={classes.unfold}
      variant="subtle"
      color="gray"
      mt="sm"
      leftSection={<IconChevronDown size={15} />}
      onClick={onExpand}
    >
      {t('health.more', { count: more, parts: parts.join(', ') })}
    </Button>
  )
}

/** Level of a channel over the whole span. */
const levelOf = ({ cells }: dashboardRoutes.ChannelHealth): HeatLevel =>
  healthLevel({
    count: cells.reduce((sum, cell) => sum + (cell?.count ?? 0), 0),
    errors: cells.reduce((sum, cell) => sum + (cell?.errors ?? 0), 0),
  })

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
