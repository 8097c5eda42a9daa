import { logType } from '@tollgate/contract'
import { useMemo } from 'react'

import type { Column, RowExpansion } from '../../../components/data-table/types'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import {
  ChannelCell,
  CostCell,
  CutText,
  DetailsCell,
  Filterable,
  Line,
  ModelCell,
  RetryCell,
  StatusCell,
  TokensCell,
  UserCell,
} from './log-cells'
import classes from '../logs.module.css'
import { isCall, type LogRow } from '../log-row'
import { LogTime } from './log-time'
import { Pace } from './pace'

type ExpansionState = Pick<RowExpansion<LogRow>, 'expanded' | 'onToggle'>

/** Columns in order. All are shown by default, some below others; channel, user and retries are for administrators only. */
export function useLogColumns(onUser: (id: number) => void, expansion: ExpansionState): readonly Column<LogRow>[] {
  const { t } = useTranslation('logs')
  const readsAll = useViewer().may('logs.read')
  return useMemo(() => {
    const columns = readsAll ? adminColumns : ownColumns
    return columns.map((column) => column({ t, readsAll, onUser, expansion }))
  }, [t, readsAll, onUser, expansion])
}

interface ColumnContext {
  readonly t: ReturnType<typeof useTranslation<'logs'>>['t']
  readonly readsAll: boolean
  readonly onUser: (id: number) => void
  readonly expansion: ExpansionState
}

const timeColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'time',
  title: t('column.time'),
  isFixed: true,
  card: 'plain',
  cell: ({ created_at: at }) => <LogTime at={at} />,
})

const typeColumn = ({ t, readsAll, expansion }: ColumnContext): Column<LogRow> => ({
  id: 'type',
  title: t('column.status'),
  card: 'title',
  cell: (row) => (
    <span className={classes.outcome}>
      <StatusCell row={row} />
      {!readsAll && <RetryCell row={row} expansion={expansion} />}
    </span>
  ),
})

const channelColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'channel',
  card: 'hidden',
  stackBelow: 'model',
  title: t('column.channel'),
  cell: (row) =>
    row.channel ? (
      <Filterable name="channel">
        <ChannelCell row={row} />
      </Filterable>
    ) : null,
})

const usernameColumn = ({ t, onUser }: ColumnContext): Column<LogRow> => ({
  id: 'username',
  stackBelow: 'time',
  ownColumnFrom: 'wide',
  card: 'plain',
  title: t('column.username'),
  cell: (row) => (
    <Filterable name="username">
      <UserCell row={row} onUser={onUser} />
    </Filterable>
  ),
  // The whole card opens the call; its panel links to the user.
  cardCell: ({ username }) => username,
})

const tokenColumn = ({ t, readsAll }: ColumnContext): Column<LogRow> => ({
  id: 'token',
  title: t('column.token'),
  ...(readsAll
    ? { stackBelow: 'username', hiddenBelow: 'wide', card: 'hidden' }
    : { stackBelow: 'model', ownColumnFrom: 'wide', card: 'plain' }),
  cell: ({ token_name: name }) =>
    name && (
      <Filterable name="token">
        <CutText text={name} width={120} />
      </Filterable>
    ),
})

const groupColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'group',
  stackBelow: 'cost',
  title: t('column.group'),
  card: 'hidden',
  hiddenBelow: 'wide',
  cell: ({ group }) =>
    group && (
      <Filterable name="group">
        <CutText text={group} width={100} />
      </Filterable>
    ),
})

const modelColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'model',
  title: t('column.model'),
  card: 'title',
  cell: (row) =>
    row.model_name && (
      <Filterable name="model">
        <ModelCell row={row} />
      </Filterable>
    ),
})

const tokensColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'tokens',
  title: t('column.tokens'),
  isSortable: true,
  align: 'end',
  card: 'hidden',
  cell: (row) => <TokensCell row={row} />,
})

const costColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'cost',
  title: t('column.cost'),
  isSortable: true,
  align: 'end',
  card: 'trailing',
  stackBelow: 'tokens',
  ownColumnFrom: 'middle',
  cell: (row) => (row.type === logType.consumption ? <CostCell row={row} /> : null),
})

const durationColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'duration',
  title: t('column.duration'),
  isSortable: true,
  card: 'plain',
  hiddenBelow: 'middle',
  cell: (row) => (isCall(row) ? <Pace row={row} /> : null),
  cardCell: (row) => (isCall(row) ? <Pace row={row} isInline /> : null),
})

const retryColumn = ({ t, expansion }: ColumnContext): Column<LogRow> => ({
  id: 'retry',
  stackBelow: 'type',
  title: t('column.retry'),
  card: 'plain',
  cell: (row) => <RetryCell row={row} expansion={expansion} />,
})

const ipColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'ip',
  title: t('column.ip'),
  card: 'hidden',
  stackBelow: 'time',
  hiddenBelow: 'wide',
  cell: ({ client_ip: ip }) => ip,
})

const detailsColumn = ({ t }: ColumnContext): Column<LogRow> => ({
  id: 'details',
  title: t('column.details'),
  isWide: true,
  stackBelow: 'model',
  ownColumnFrom: 'wide',
  cell: (row) => <DetailsCell row={row} />,
  belowCell: ({ type, content }) => (type === logType.consumption ? null : <Line text={content} />),
  card: 'plain',
  // For a charged call the lines above contain it.
  cardCell: ({ content, type }) => (type === logType.consumption ? null : content),
})

const adminColumns = [
  timeColumn,
  typeColumn,
  channelColumn,
  usernameColumn,
  tokenColumn,
  groupColumn,
  modelColumn,
  tokensColumn,
  costColumn,
  durationColumn,
  retryColumn,
  ipColumn,
  detailsColumn,
]
const ownColumns = [
  timeColumn,
  typeColumn,
  tokenColumn,
  groupColumn,
  modelColumn,
  tokensColumn,
  costColumn,
  durationColumn,
  ipColumn,
  detailsColumn,
]
