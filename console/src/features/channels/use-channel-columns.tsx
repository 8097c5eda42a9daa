import { ActionIcon, Badge, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { channelStatus, channelRoutes } from '@tollgate/contract'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import { Money } from '../../components/money'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { Tip } from '../../components/tip'
import { formatDuration, formatTime } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import {
  channelsOf,
  common,
  isEnabled,
  listOf,
  responseColor,
  statusReason,
  type Channel,
  type Row,
} from './channel-row'
import classes from './channels.module.css'
import { NumberCell } from './number-cell'
import type { ChannelWrites } from './use-channel-writes'

interface ColumnParts {
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly writes: ChannelWrites
  readonly opened: ReadonlySet<string>
  readonly onToggle: (tag: string) => void
  readonly onKeys: (channel: Channel) => void
}

const leastWeight = 0

export function useChannelColumns({ vendors, writes, opened, onToggle, onKeys }: ColumnParts): readonly Column<Row>[] {
  const { t } = useTranslation('channels')
  const { language } = useFormat()
  return useMemo(() => {
    const one = (draw: (channel: Channel) => ReactNode) => (row: Row) =>
      row.kind === 'channel' ? draw(row.channel) : null
    const vendorOf = (channel: Channel) => vendors.find(({ type }) => type === channel.type)
    const numberCell = (key: 'priority' | 'weight', least: number) => (row: Row) => {
      const name = row.kind === 'tag' ? row.tag : row.channel.name
      return (
        <NumberCell
          label={`${t(`column.${key}`)}: ${name}`}
          value={common(channelsOf(row), key)}
          least={least}
          onSave={(value) =>
            row.kind === 'tag' ? writes.setTagNumber(row.tag, key, value) : writes.setNumber(row.channel, key, value)
          }
        />
      )
    }
    return [
      { id: 'id', title: t('column.id'), card: 'hidden', cell: one(({ id }) => id) },
      {
        id: 'name',
        title: t('column.name'),
        isFixed: true,
        card: 'title',
        cell: (row) =>
          row.kind === 'tag' ? (
            <TagName row={row} isOpen={opened.has(row.tag)} onToggle={() => onToggle(row.tag)} />
          ) : (
            <span className={classes.name} data-is-child={row.isChild || undefined}>
              <span className={classes.nameText} title={row.channel.name}>
                {row.channel.name}
              </span>
              <Badge color="gray">{vendorOf(row.channel)?.name[language] ?? t('unknownVendor')}</Badge>
            </span>
          ),
      },
      { id: 'status', title: t('column.status'), cell: (row) => <Status row={row} /> },
      {
        id: 'response',
        title: t('column.response'),
        cell: one((channel) => (
          <Tip label={channel.test_time ? t('testedAt', { time: formatTime(channel.test_time) }) : t('neverTested')}>
            <UnstyledButton aria-label={t('action.test')} onClick={() => void writes.test(channel)}>
              <Badge color={responseColor(channel.response_time)}>
                {channel.response_time > 0 ? formatDuration(channel.response_time) : t('untested')}
              </Badge>
            </UnstyledButton>
          </Tip>
        )),
      },
      {
        id: 'priority',
        title: t('column.priority'),
        align: 'end',
        cell: numberCell('priority', channelRoutes.lowestPriority),
      },
      { id: 'weight', title: t('column.weight'), align: 'end', cell: numberCell('weight', leastWeight) },
      {
        id: 'used',
        title: t('column.used'),
        align: 'end',
        cell: (row) => <Money quota={channelsOf(row).reduce((sum, { used_quota: used }) => sum + used, 0)} />,
      },
      {
        id: 'balance',
        title: t('column.balance'),
        align: 'end',
        cell: one((channel) =>
          vendorOf(channel)?.has_balance ? (
            <Tip label={channel.balance_updated_time ? formatTime(channel.balance_updated_time) : t('neverAsked')}>
              <UnstyledButton fz="inherit" td="underline dotted" onClick={() => void writes.updateBalance(channel)}>
                {`$${channel.balance.toFixed(2)}`}
              </UnstyledButton>
            </Tip>
          ) : null,
        ),
      },
      {
        id: 'models',
        title: t('column.models'),
        align: 'end',
        cell: one((channel) => {
          const models = listOf(channel.models)
          return (
            <Tip label={models.slice(0, 30).join('\n')}>
              <span>{models.length}</span>
            </Tip>
          )
        }),
      },
      {
        id: 'keys',
        title: t('column.keys'),
        align: 'end',
        isHiddenAtFirst: true,
        cell: one((channel) => (
          <UnstyledButton fz="inherit" td="underline" aria-label={t('action.keys')} onClick={() => onKeys(channel)}>
            {`${channel.keys.filter(isEnabled).length} / ${channel.keys.length}`}
          </UnstyledButton>
        )),
      },
      { id: 'group', title: t('column.group'), cell: one(({ group }) => listOf(group).join(', ')) },
      { id: 'tag', title: t('column.tag'), isHiddenAtFirst: true, cell: one(({ tag }) => tag) },
    ]
  }, [t, language, vendors, writes, opened, onToggle, onKeys])
}

interface TagNameProps {
  readonly row: Extract<Row, { readonly kind: 'tag' }>
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function TagName({ row, isOpen, onToggle }: TagNameProps) {
  const { t } = useTranslation('channels')
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <span className={classes.name}>
      <ActionIcon size={22} aria-expanded={isOpen} aria-label={t('tag.toggle', { tag: row.tag })} onClick={onToggle}>
        <Chevron size={15} />
      </ActionIcon>
      <Text fz="inherit" fw={600} truncate maw={220}>
        {row.tag}
      </Text>
      <Badge color="gray">{t('tag.count', { count: row.channels.length })}</Badge>
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

function Status({ row }: { readonly row: Row }) {
  const { t } = useTranslation('channels')
  if (row.kind === 'tag') {
    const on = row.channels.filter(isEnabled).length
    return (
      <StatusBadge tone={on > 0 ? 'good' : 'neutral'}>{t('tag.enabled', { on, all: row.channels.length })}</StatusBadge>
    )
  }
  const state = states[row.channel.status]
  if (!state) return <StatusBadge tone="neutral">{t('status.unknown')}</StatusBadge>
  const why = state.name === 'autoDisabled' ? statusReason(row.channel.other_info) : undefined
  return (
    <StatusBadge
      tone={state.tone}
      reason={why && t('status.reason', { reason: why.status_reason, time: formatTime(why.status_time) })}
    >
      {t(`status.${state.name}`)}
    </StatusBadge>
  )
}
