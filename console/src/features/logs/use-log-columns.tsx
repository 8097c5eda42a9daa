import { logType } from '@tollgate/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../components/data-table/types'
import { Money } from '../../components/money'
import { useViewer } from '../../lib/session'
import { DetailsCell } from './details-cell'
import {
  ChannelCell,
  CutText,
  type Unfolding,
  ModelCell,
  RetryCell,
  StatusCell,
  TokensCell,
  UserCell,
} from './log-cells'
import { isCall, type LogRow } from './log-row'
import { LogTime } from './log-time'
import { Pace } from './pace'

/**
 * The columns in their order. All are shown at first, some below others; channel, user and retries are there for
 * administrators alone.
 */
export function useLogColumns(onUser: (id: number) => void, unfolding: Unfolding): readonly Column<LogRow>[] {
  const { t } = useTranslation('logs')
  const { isAdmin } = useViewer()
  return useMemo(() => {
    const channel: Column<LogRow> = {
      id: 'channel',
      card: 'hidden',
      under: 'model',
      isSpare: true,
      title: t('column.channel'),
      cell: (row) => <ChannelCell row={row} />,
    }
    const username: Column<LogRow> = {
      id: 'username',
      isSpare: true,
      title: t('column.username'),
      cell: (row) => <UserCell row={row} onUser={onUser} />,
    }
    const retry: Column<LogRow> = {
      id: 'retry',
      under: 'type',
      title: t('column.retry'),
      isSpare: true,
      cell: (row) => <RetryCell row={row} unfolding={unfolding} />,
    }
    return [
      {
        id: 'time',
        title: t('column.time'),
        isFixed: true,
        card: 'title',
        cell: ({ created_at: at }) => <LogTime at={at} />,
      },
      {
        id: 'type',
        title: t('column.status'),
        card: 'title',
        cell: (row) => (
          <>
            <StatusCell row={row} />
            {!isAdmin && <RetryCell row={row} unfolding={unfolding} />}
          </>
        ),
      },
      ...(isAdmin ? [channel, username] : []),
      {
        id: 'token',
        under: 'username',
        title: t('column.token'),
        card: isAdmin ? 'hidden' : 'line',
        isSpare: true,
        cell: ({ token_name: name }) => <CutText text={name} width={120} />,
      },
      {
        id: 'group',
        under: 'cost',
        title: t('column.group'),
        card: 'hidden',
        isSpare: true,
        cell: ({ group }) => <CutText text={group} width={100} />,
      },
      { id: 'model', title: t('column.model'), cell: (row) => <ModelCell row={row} /> },
      { id: 'tokens', title: t('column.tokens'), align: 'end', cell: (row) => <TokensCell row={row} /> },
      {
        id: 'cost',
        title: t('column.cost'),
        align: 'end',
        cell: ({ quota, type }) => (type === logType.consumption ? <Money quota={quota} /> : null),
      },
      {
        id: 'duration',
        title: t('column.duration'),
        isSpare: true,
        cell: (row) => (isCall(row) ? <Pace row={row} /> : null),
      },
      ...(isAdmin ? [retry] : []),
      {
        id: 'ip',
        title: t('column.ip'),
        card: 'hidden',
        under: 'time',
        isSpare: true,
        cell: ({ client_ip: ip }) => ip,
      },
      {
        id: 'details',
        title: t('column.details'),
        isWide: true,
        isSpare: true,
        cell: (row) => <DetailsCell row={row} />,
        // Of a charged call the lines above say it.
        cardCell: ({ content, type }) => (type === logType.consumption ? null : content),
      },
    ]
  }, [t, isAdmin, onUser, unfolding])
}
