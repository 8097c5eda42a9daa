import { ActionIcon, Badge, Group, Loader, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { channelRoutes, channelStatus } from '@tollgate/contract'

import { StatusBadge, type Tone } from '../../components/status-badge'
import { Tip } from '../../components/tip'
import { VendorMark } from '../../domain/vendor-mark'
import { formatDuration, formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useFormat } from '../../lib/text/use-format'
import { cappedUsage, isEnabled, listOf, responseColor, statusReason, type Channel, type Row } from './channel-row'
import classes from './channels.module.css'
import { LiveStates } from './live-cells'
import type { ChannelWrites } from './use-channel-writes'

export type Vendor = channelRoutes.ChannelType

interface ChannelNameProps {
  readonly row: Extract<Row, { readonly kind: 'channel' }>
  readonly vendor: Vendor | undefined
}

/** The name, and what distinguishes it from other channels of the vendor. */
export function ChannelName({ row: { channel, isChild }, vendor }: ChannelNameProps) {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  const { id, name, type, tag, group } = channel
  const vendorName = vendor?.name[language] ?? t('unknownVendor', { type })
  const facts = [`#${id}`, vendorName, ...(tag && !isChild ? [tag] : []), listOf(group).join(', ')].join(' · ')
  return (
    <span className={classes.name} data-is-child={isChild || undefined}>
      <VendorMark id={vendor?.id ?? ''} name={vendorName} />
      <span className={classes.nameLines}>
        <span className={classes.nameText} title={name}>
          {name}
        </span>
        <span className={classes.vendor} title={facts}>
          {facts}
        </span>
      </span>
    </span>
  )
}

interface TagNameProps {
  readonly row: Extract<Row, { readonly kind: 'tag' }>
  readonly isOpen: boolean
  readonly onToggle: () => void
}

export function TagName({ row, isOpen, onToggle }: TagNameProps) {
  const { t } = useTranslation('channels')
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <span className={classes.name}>
      <ActionIcon size={24} aria-expanded={isOpen} aria-label={t('tag.toggle', { tag: row.tag })} onClick={onToggle}>
        <Chevron size={15} />
      </ActionIcon>
      <Text fz="inherit" fw={600} truncate maw={220} title={row.tag}>
        {row.tag}
      </Text>
      <span className={classes.vendor}>{t('tag.count', { count: row.channels.length })}</span>
    </span>
  )
}

const states: Readonly<
  Record<number, { readonly tone: Tone; readonly name: 'enabled' | 'disabled' | 'autoDisabled' }>
> = {
  [channelStatus.enabled]: { tone: 'good', name: 'enabled' },
  [channelStatus.disabled]: { tone: 'neutral', name: 'disabled' },
  [channelStatus.autoDisabled]: { tone: 'bad', name: 'autoDisabled' },
}

interface ChannelStatusProps {
  readonly row: Row
  /** State of the circuit breakers, and the last 24 hours; undefined for a tag as a whole. */
  readonly live?: channelRoutes.ChannelLive
  readonly traffic?: channelRoutes.ChannelTraffic
}

/** Its configured status and its current health. */
export function ChannelStatus({ row, live, traffic }: ChannelStatusProps) {
  const { t } = useTranslation('channels')
  if (row.kind === 'tag') {
    const on = row.channels.filter(isEnabled).length
    const tone = on === row.channels.length ? 'good' : on > 0 ? 'warning' : 'neutral'
    return <StatusBadge tone={tone}>{t('tag.enabled', { on, all: row.channels.length })}</StatusBadge>
  }
  const state = states[row.channel.status]
  if (!state) return <StatusBadge tone="neutral">{t('status.unknown')}</StatusBadge>
  const why = state.name === 'autoDisabled' ? statusReason(row.channel.other_info) : undefined
  const reason =
    why && t('status.reason', { reason: why.reason, time: why.time > 0 ? formatTime(why.time) : t('status.someTime') })
  return (
    <Group gap={4}>
      {state.name === 'enabled' && traffic && channelRoutes.isFailing(traffic) ? (
        <Failing traffic={traffic} />
      ) : (
        <StatusBadge tone={state.tone} reason={reason}>
          {t(`status.${state.name}`)}
        </StatusBadge>
      )}
      <LiveStates live={live} />
      <CappedUsage channel={row.channel} />
    </Group>
  )
}

/** Instead of a plain "Enabled", which would say that all is well. */
function Failing({ traffic: { count, errors } }: { readonly traffic: channelRoutes.ChannelTraffic }) {
  const { t } = useTranslation('channels')
  const { number, share } = useFormat()
  const attempts = count + errors
  return (
    <StatusBadge tone="warning" reason={t('status.failingHint', { count: errors, attempts: number(attempts) })}>
      {t('status.failing', { share: share(Math.round((errors / attempts) * 100) / 100) })}
    </StatusBadge>
  )
}

/** Marks an upstream that reports impossible usage. */
function CappedUsage({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const capped = cappedUsage(channel.other_info)
  if (!capped) return null
  const reason = t('status.cappedHint', { count: capped.count, time: formatTime(capped.time) })
  return (
    <StatusBadge tone="warning" reason={reason}>
      {t('status.capped')}
    </StatusBadge>
  )
}

interface ChannelWorkProps {
  readonly channel: Channel
  /** Undefined for readers without write access. */
  readonly writes: ChannelWrites | undefined
}

/** Duration of the last test; a click tests again. */
export function ResponseTime({ channel, writes }: ChannelWorkProps) {
  const { t } = useTranslation('channels')
  const { name, response_time: took, test_time: at } = channel
  const time = took > 0 ? formatDuration(took) : t('untested')
  if (writes?.isBusy('test', channel)) return <Loader size={16} aria-label={t('testing', { name })} />
  return (
    <Tip label={at > 0 ? t('testedAt', { time: formatTime(at) }) : t('neverTested')}>
      {writes ? (
        <UnstyledButton aria-label={t('action.testNamed', { name, time })} onClick={() => void writes.test(channel)}>
          <Badge color={responseColor(took)} style={{ cursor: 'pointer' }}>
            {time}
          </Badge>
        </UnstyledButton>
      ) : (
        <Badge color={responseColor(took)} tabIndex={0}>
          {time}
        </Badge>
      )}
    </Tip>
  )
}

/** The balance reported by the vendor, in its currency; a click refreshes it. */
export function Balance({ channel, writes }: ChannelWorkProps) {
  const { t } = useTranslation('channels')
  const { vendorMoney } = useFormat()
  const { name, balance, balance_currency: currency, balance_updated_time: at } = channel
  const isKnown = at > 0
  if (writes?.isBusy('balance', channel)) return <Loader size={16} aria-label={t('asking', { name })} />
  return (
    <span className={classes.balance}>
      {isKnown && (
        <Tip label={t('askedAt', { time: formatTime(at) })}>
          <span className="figures" tabIndex={0}>
            {vendorMoney(balance, currency)}
          </span>
        </Tip>
      )}
      {writes && (
        <Tip label={t(isKnown ? 'action.balance' : 'neverAsked')}>
          <ActionIcon
            size="sm"
            className={classes.onHover}
            aria-label={t('action.balanceOf', { name })}
            onClick={() => void writes.updateBalance(channel)}
          >
            <IconRefresh size={14} />
          </ActionIcon>
        </Tip>
      )}
    </span>
  )
}

/** As many as fit into a tooltip. */
const maxNamed = 24

export function ModelCount({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const models = listOf(channel.models)
  const more = models.length - maxNamed
  const named = models.slice(0, maxNamed).join('\n')
  return (
    <Tip label={more > 0 ? `${named}\n${t('moreModels', { count: more })}` : named}>
      <span className={classes.hint} tabIndex={0}>
        {models.length}
      </span>
    </Tip>
  )
}

interface KeyCountProps {
  readonly channel: Channel
  /** Undefined: read-only. */
  readonly onOpen: (() => void) | undefined
}

/** Number of enabled keys and of all keys; opens the list of keys. */
export function KeyCount({ channel: { name, keys }, onOpen }: KeyCountProps) {
  const { t } = useTranslation('channels')
  const on = keys.filter(isEnabled).length
  const shown = on === keys.length ? on : `${on} / ${keys.length}`
  if (!onOpen) return <span className="figures">{shown}</span>
  return (
    <UnstyledButton
      className={classes.link}
      aria-label={t('action.keysNamed', { name, count: keys.length })}
      onClick={onOpen}
    >
      {shown}
    </UnstyledButton>
  )
}
