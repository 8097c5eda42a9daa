import { Code, Text } from '@mantine/core'
import { role, type auditRoutes } from '@tollgate/contract'

import type { Column } from '../../components/data-table/types'
import { formatTime } from '../../lib/format'
import { useTranslation } from '../../lib/i18n'
import { OutcomeBadge } from './outcome-badge'

type Row = auditRoutes.AuditEntity

/** What the list tells of an act. */
export function useAuditColumns(): readonly Column<Row>[] {
  const { t } = useTranslation('audit')
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
      card: 'fact',
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
      cell: ({ action, method, path }) => <Code>{action === '' ? `${method} ${path}` : action}</Code>,
    },
    {
      id: 'target',
      title: t('column.target'),
      isWide: true,
      card: 'line',
      cell: ({ target, target_id: id, target_name: name }) =>
        target === '' ? null : `${target}${id === '' ? '' : ` ${id}`}${name === '' ? '' : ` · ${name}`}`,
    },
    {
      id: 'outcome',
      title: t('column.outcome'),
      card: 'aside',
      cell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    },
    {
      id: 'ip',
      title: t('column.ip'),
      from: 'middle',
      card: 'hidden',
      cell: ({ ip }) => <span className="figures">{ip}</span>,
    },
  ]
}
