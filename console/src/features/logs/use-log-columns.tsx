import { Badge, Text, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import { Money } from '../../components/money'
import { StatusBadge, type Tone } from '../../components/status-badge'
import { Tip } from '../../components/tip'
import { formatTime } from '../../lib/format'
import { useFormat } from '../../lib/use-format'
import { useViewer } from '../../lib/session'
import { readOther } from './log-other'
import { isCall, typeNameOf, type LogRow, type LogTypeName } from './log-row'
import { Pace } from './pace'

const tones: Record<LogTypeName | 'unknown', Tone> = {
  topUp: 'accent',
  consumption: 'good',
  admin: 'warning',
  system: 'neutral',
  checkIn: 'accent',
  error: 'bad',
  unknown: 'neutral',
}

/** The columns, with those for administrators alone. */
export function useLogColumns(onUser: (id: number) => void): readonly Column<LogRow>[] {
  const { t } = useTranslation('logs')
  const { isAdmin } = useViewer()
  const { ago } = useFormat()
  return useMemo(() => {
    const forAdmins: readonly Column<LogRow>[] = [
      {
        id: 'channel',
        title: t('column.channel'),
        cell: ({ channel, channel_name: name }) =>
          channel ? (
            <Tip label={`#${channel}`}>
              <span>{name || `#${channel}`}</span>
            </Tip>
          ) : null,
      },
      {
        id: 'username',
        title: t('column.username'),
        cell: ({ user_id: id, username }) => (
          <UnstyledButton
            fz="inherit"
            td="underline"
            onClick={(event) => {
              event.stopPropagation()
              onUser(id)
            }}
          >
            {username}
          </UnstyledButton>
        ),
      },
    ]
    const retries: Column<LogRow> = {
      id: 'retry',
      title: t('column.retry'),
      cell: ({ other }) => {
        const { use_channel: chain = [] } = readOther(other).admin_info ?? {}
        return chain.length > 1 ? <Text fz="inherit">{chain.map((id) => `#${id}`).join(' → ')}</Text> : null
      },
    }
    return [
      {
        id: 'time',
        title: t('column.time'),
        isFixed: true,
        card: 'title',
        cell: ({ created_at: at }) => (
          <Tip label={ago(at)}>
            <time dateTime={new Date(at * 1000).toISOString()}>{formatTime(at)}</time>
          </Tip>
        ),
      },
      {
        id: 'type',
        title: t('column.type'),
        cell: ({ type }) => {
          const name = typeNameOf(type)
          return <StatusBadge tone={tones[name]}>{t(`type.${name}`)}</StatusBadge>
        },
      },
      ...(isAdmin ? forAdmins : []),
      { id: 'token', title: t('column.token'), cell: ({ token_name: name }) => <Cut text={name} /> },
      { id: 'model', title: t('column.model'), cell: (row) => <Model row={row} /> },
      { id: 'duration', title: t('column.duration'), cell: (row) => (isCall(row) ? <Pace row={row} /> : null) },
      { id: 'tokens', title: t('column.tokens'), align: 'end', cell: (row) => <Tokens row={row} /> },
      {
        id: 'cost',
        title: t('column.cost'),
        align: 'end',
        cell: ({ quota, type }) => (typeNameOf(type) === 'consumption' ? <Money quota={quota} /> : null),
      },
      ...(isAdmin ? [retries] : []),
      { id: 'group', title: t('column.group'), isHiddenAtFirst: true, cell: ({ group }) => group },
      { id: 'ip', title: t('column.ip'), isHiddenAtFirst: true, cell: ({ client_ip: ip }) => ip },
      { id: 'details', title: t('column.details'), cell: ({ content }) => <Cut text={content} width={280} /> },
    ]
  }, [t, isAdmin, ago, onUser])
}

function Cut({ text, width = 160 }: { readonly text: string; readonly width?: number }) {
  return (
    <Text fz="inherit" truncate maw={width} title={text}>
      {text}
    </Text>
  )
}

function Model({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { is_model_mapped: isMapped, upstream_model_name: upstream } = readOther(row.other)
  if (!row.model_name) return null
  const badge = (
    <Badge color="gray" maw={220} styles={{ label: { overflow: 'hidden' } }}>
      {row.model_name}
    </Badge>
  )
  return isMapped && upstream ? <Tip label={t('mapped', { model: upstream })}>{badge}</Tip> : badge
}

function Tokens({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  if (!isCall(row) || row.prompt_tokens + row.completion_tokens === 0) return null
  const { cache_tokens: cached } = readOther(row.other)
  const pair = `${number(row.prompt_tokens)} / ${number(row.completion_tokens)}`
  return cached > 0 ? (
    <Tip label={t('cached', { count: cached, tokens: number(cached) })}>
      <span style={{ textDecoration: 'underline dotted' }}>{pair}</span>
    </Tip>
  ) : (
    <span>{pair}</span>
  )
}
