import { Link } from '@tanstack/react-router'
import type { tokenRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { LimitCell } from '../../../domain/limits/limit-cell'
import type { useStandings } from '../../../domain/limits/standings-data'
import { Money } from '../../../domain/money'
import { Quiet } from '../../../components/quiet'
import { TimeAgo } from '../../../components/time-ago'
import { useTranslation } from '../../../lib/text/i18n'
import { TokenStatus } from '../token-cells'
import classes from '../tokens.module.css'

type Token = tokenRoutes.AnyToken
type Standings = ReturnType<typeof useStandings>

/** Columns of the list. */
export function useAllTokenColumns(standings: Standings): readonly Column<Token>[] {
  const { t } = useTranslation('tokens')
  return [
    {
      id: 'name',
      title: t('column.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: ({ name }) => (
        <div className={classes.name} title={name}>
          {name}
        </div>
      ),
    },
    {
      id: 'user',
      title: t('all.user'),
      isSortable: true,
      card: 'plain',
      cell: ({ user_id: id, username }) => (
        <Link to="/admin/users" search={{ open: id, keyword: username }} className={classes.user} title={username}>
          {username}
        </Link>
      ),
    },
    { id: 'status', title: t('column.status'), card: 'trailing', cell: (token) => <TokenStatus token={token} /> },
    {
      id: 'key',
      title: t('column.key'),
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ key }) => <code>{`sk-…${key.slice(-4)}`}</code>,
    },
    {
      id: 'group',
      title: t('column.group'),
      hiddenBelow: 'middle',
      card: 'hidden',
      cell: ({ group, effective_group: effective }) => (group ? group : <Quiet>{effective}</Quiet>),
    },
    {
      id: 'left',
      title: t('quota.left'),
      align: 'end',
      isSortable: true,
      card: 'fact',
      cell: ({ unlimited_quota: isUnlimited, remain_quota: left }) =>
        isUnlimited ? <Quiet>{t('quota.unlimited')}</Quiet> : <Money quota={left} />,
    },
    {
      id: 'limits',
      title: t('column.limits'),
      card: 'line',
      stackBelow: 'left',
      cell: ({ id }) => <LimitCell standings={standings?.get(id)} />,
    },
    {
      id: 'spent',
      title: t('column.spent'),
      align: 'end',
      isSortable: true,
      card: 'fact',
      cell: ({ used_quota: quota }) => <Money quota={quota} />,
    },
    {
      id: 'used',
      title: t('column.used'),
      isSortable: true,
      card: 'fact',
      cell: ({ accessed_time: at }) => (at === 0 ? <Quiet>{t('neverUsed')}</Quiet> : <TimeAgo at={at} />),
    },
    {
      id: 'expires',
      title: t('column.expiry'),
      isSortable: true,
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ expired_time: at }) => (at === -1 ? <Quiet>{t('expiry.never')}</Quiet> : <TimeAgo at={at} />),
    },
    {
      id: 'created',
      title: t('column.created'),
      isSortable: true,
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ created_time: at }) => <TimeAgo at={at} />,
    },
  ]
}
