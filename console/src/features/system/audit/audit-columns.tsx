import { Text } from '@mantine/core'
import { role, type auditRoutes } from '@tollgate/contract'

import type { Column } from '../../../components/data-table/types'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { OutcomeBadge, useActionName, useTargetName } from './audit-cells'

type Row = auditRoutes.AuditEntity

/** Columns of the audit log. */
export function useAuditColumns(): readonly Column<Row>[] {
  const { t } = useTranslation('audit')
  const actName = useActionName()
  const targetName = useTargetName()
  const rankOf = ({ role: rank }: Row) => {
    if (rank >= role.root) return t('rank.root')
    if (rank >= role.admin) return t('rank.admin')
    return rank > role.user ? t('rank.helper') : ''
  }
  return [
    {
      id: 'time',
      title: t('column.time'),
      card: 'plain',
      cell: (row) => (
        <span className="figures" style={{ whiteSpace: 'nowrap' }}>
          {formatTime(row.created_at)}
        </span>
      ),
    },
    {
      id: 'user',
      title: t('column.user'),
      stackBelow: 'time',
      ownColumnFrom: 'middle',
      card: 'plain',
      cell: (row) => (
        <>
          <span>{row.user_id === 0 ? t('guest') : row.username}</span>
          {rankOf(row) !== '' && (
            <Text component="span" size="xs" c="dimmed" ml={6}>
              {rankOf(row)}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'action',
      title: t('column.action'),
      isFixed: true,
      card: 'title',
      cell: (row) => <span title={row.action}>{actName(row)}</span>,
    },
    {
      id: 'target',
      title: t('column.target'),
      isWide: true,
      card: 'line',
      cell: targetName,
    },
    {
      id: 'outcome',
      title: t('column.outcome'),
      card: 'trailing',
      cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    },
    {
      id: 'ip',
      title: t('column.ip'),
      hiddenBelow: 'wide',
      card: 'hidden',
      cell: ({ ip }) => <span className="figures">{ip}</span>,
    },
  ]
}
