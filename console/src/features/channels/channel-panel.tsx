import { Button, Skeleton, Stack } from '@mantine/core'
import { IconActivityHeartbeat, IconEdit, IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ApiError, channelRoutes } from '@tollgate/contract'

import { Facts } from '../../components/facts'
import { Money } from '../../domain/money'
import { ErrorState } from '../../components/page/state-message'
import { PanelSection } from '../../components/peek/panel-section'
import { PeekPanel } from '../../components/peek/peek-panel'
import { LimitsSection } from '../../domain/limits/limits-section'
import { useFormat } from '../../lib/text/use-format'
import { formatDuration, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { ChannelStatus, type Vendor } from './channel-cells'
import { isTestable, listOf, type Channel } from './channel-row'
import { ChannelHistory, ChannelState } from './channel-state'
import { TrafficStrip } from './traffic-strip'
import type { ChannelsAtWork } from './channel-data'
import type { ChannelWrites } from './use-channel-writes'

interface ChannelPanelProps {
  readonly channel: Channel | undefined
  readonly error: ApiError | null
  readonly retry: () => void
  readonly vendors: readonly Vendor[]
  /** Undefined for readers without write access. */
  readonly writes: ChannelWrites | undefined
  readonly work: ChannelsAtWork
  readonly onPrevious?: () => void
  readonly onNext?: () => void
  readonly onEdit: (channel: Channel) => void
  readonly onClose: () => void
}

/** All that is known of a channel, beside the list. */
export function ChannelPanel(props: ChannelPanelProps) {
  const { channel, error, retry, vendors, writes, work, onPrevious, onNext, onEdit, onClose } = props
  const { t } = useTranslation('channels')
  const vendor = vendors.find(({ type }) => type === channel?.type)
  // What is known of its calls comes before what does not change, so it is waited for.
  const isWaiting = !channel || work.isPending
  return (
    <PeekPanel
      title={channel?.name ?? t('panel.title')}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={channel && <PanelActions channel={channel} vendor={vendor} writes={writes} onEdit={onEdit} />}
    >
      {error && <ErrorState error={error} onRetry={retry} isSmall />}
      {isWaiting && !error && <Skeleton h={280} />}
      {channel && !isWaiting && (
        <Stack gap="lg">
          <PanelSection title={t('details.now')}>
            <ChannelState channel={channel} live={work.liveOf(channel.id)} traffic={work.trafficOf(channel.id)} />
          </PanelSection>
          <PanelSection title={t('column.traffic')}>
            <TrafficStrip traffic={work.trafficOf(channel.id)} times={work.times} />
            <DayFacts channel={channel} traffic={work.trafficOf(channel.id)} />
          </PanelSection>
          <PanelSection title={t('panel.channel')}>
            <ChannelFacts channel={channel} vendor={vendor} work={work} />
          </PanelSection>
          <LimitsSection
            owner={{ owner: 'channel', ref: String(channel.id), name: channel.name }}
            mayWrite={writes !== undefined}
          />
          <PanelSection title={t('details.history')}>
            <ChannelHistory id={channel.id} />
          </PanelSection>
        </Stack>
      )}
    </PeekPanel>
  )
}

interface DayFactsProps {
  readonly channel: Channel
  readonly traffic: channelRoutes.ChannelTraffic | undefined
}

function DayFacts({ channel, traffic }: DayFactsProps) {
  const { t } = useTranslation('channels')
  const time = (milliseconds: number | null | undefined) =>
    typeof milliseconds === 'number' && formatDuration(milliseconds)
  return (
    <Facts
      facts={[
        [t('column.spend'), traffic && <Money key="spend" quota={traffic.quota} />],
        [t('column.used'), <Money key="used" quota={channel.used_quota} />],
        [t('panel.half'), time(traffic?.p50_ms)],
        [t('panel.most'), time(traffic?.p95_ms)],
        [t('panel.firstToken'), time(traffic?.first_token_p50_ms)],
      ]}
    />
  )
}

interface ChannelFactsProps {
  readonly channel: Channel
  readonly vendor: Vendor | undefined
  readonly work: ChannelsAtWork
}

function ChannelFacts({ channel, vendor, work }: ChannelFactsProps) {
  const { t } = useTranslation('channels')
  const { language, vendorMoney } = useFormat()
  return (
    <Facts
      facts={[
        [t('column.id'), String(channel.id)],
        [
          t('column.status'),
          <ChannelStatus
            key="status"
            row={{ kind: 'channel', channel, isChild: false }}
            live={work.liveOf(channel.id)}
            traffic={work.trafficOf(channel.id)}
          />,
        ],
        [t('filter.type'), vendor?.name[language] ?? t('unknownVendor', { type: channel.type })],
        [t('panel.address'), channel.base_url],
        [t('column.tag'), channel.tag],
        [t('column.group'), listOf(channel.group).join(', ')],
        [t('column.priority'), String(channel.priority)],
        [t('column.weight'), String(channel.weight)],
        [t('column.keys'), String(channel.keys.length)],
        [
          t('column.balance'),
          channel.balance_updated_time > 0 && vendorMoney(channel.balance, channel.balance_currency),
        ],
        [t('panel.created'), formatTime(channel.created_time)],
        [t('column.models'), listOf(channel.models).join(', ')],
      ]}
    />
  )
}

interface PanelActionsProps extends Pick<ChannelPanelProps, 'writes' | 'onEdit'> {
  readonly channel: Channel
  readonly vendor: Vendor | undefined
}

function PanelActions({ channel, vendor, writes, onEdit }: PanelActionsProps) {
  const { t } = useTranslation('channels')
  const mayReadLogs = useViewer().may('logs.read')
  return (
    <>
      <Button variant="default" leftSection={<IconEdit size={15} />} onClick={() => onEdit(channel)}>
        {t(writes ? 'action.edit' : 'action.view')}
      </Button>
      {writes && isTestable(vendor) && (
        <Button
          variant="default"
          leftSection={<IconActivityHeartbeat size={15} />}
          loading={writes.isBusy('test', channel)}
          onClick={() => void writes.test(channel)}
        >
          {t('action.test')}
        </Button>
      )}
      {mayReadLogs && (
        <Button
          variant="default"
          leftSection={<IconListDetails size={15} />}
          renderRoot={(props) => (
            <Link to="/app/logs/api-usage" search={{ channel: channel.id, range: 'week' }} {...props} />
          )}
        >
          {t('panel.log')}
        </Button>
      )}
    </>
  )
}
