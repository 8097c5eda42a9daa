import { Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { ApiError, auditRoutes } from '@tollgate/contract'

import { CopyButton } from '../../../components/copy-button'
import { ErrorState } from '../../../components/page/state-message'
import { Facts } from '../../../components/facts'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { formatTime } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { OutcomeBadge, useActionName, changesOf, type Change, useTargetName } from './audit-cells'

type Row = auditRoutes.AuditEntity

interface AuditPanelProps {
  /** Undefined while loading. */
  readonly row: Row | undefined
  /** The row does not exist, or is hidden from the reader. */
  readonly isMissing: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** All details of an audit entry, including its changes. */
export function AuditPanel({ row, isMissing, error, retry, ...panel }: AuditPanelProps) {
  const { t } = useTranslation('audit')
  const actName = useActionName()
  const title = row ? (row.action === '' ? t('refusedCall') : actName(row)) : t('title')
  return (
    <PeekPanel title={title} {...panel}>
      {row && <Act row={row} />}
      {isMissing && <Text size="sm">{t('missing')}</Text>}
      {error && <ErrorState error={error} onRetry={retry} isSmall />}
      {!row && !isMissing && !error && <Skeleton h={280} />}
    </PeekPanel>
  )
}

function Act({ row }: { readonly row: Row }) {
  const { t } = useTranslation('audit')
  const changes = changesOf(row)
  const targetName = useTargetName()
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [t('column.time'), formatTime(row.created_at)],
          [t('column.outcome'), <OutcomeBadge key="outcome" outcome={row.outcome} />],
          [t('fact.reason'), row.outcome === 'ok' ? '' : row.outcome],
          [t('column.user'), row.user_id === 0 ? t('guest') : `${row.username} (${row.user_id})`],
          [t('fact.means'), t(`means.${row.means}`)],
          [t('column.target'), targetName(row)],
          [t('column.ip'), row.ip],
          [t('fact.agent'), row.user_agent],
          [t('fact.code'), row.action && <Code key="code">{row.action}</Code>],
          [t('fact.call'), `${row.method} ${row.path}`],
          [
            t('fact.request'),
            row.request_id && (
              <Group key="request" gap={4} wrap="nowrap">
                <Code style={{ overflowWrap: 'anywhere' }}>{row.request_id}</Code>
                <CopyButton text={row.request_id} label={t('fact.copyRequest')} />
              </Group>
            ),
          ],
        ]}
      />
      {changes.length > 0 && (
        <section aria-label={t('changes.title')}>
          <Title order={3} fz="md" mb="xs">
            {t('changes.title')}
          </Title>
          <Changes changes={changes} />
        </section>
      )}
    </Stack>
  )
}

/** Has a column of previous values only where there were any. */
function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const { t } = useTranslation('audit')
  const hasBefore = changes.some(({ before }) => before)
  return (
    <Table fz="sm" layout="fixed" horizontalSpacing={0} style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('changes.name')}</Table.Th>
          {hasBefore && <Table.Th>{t('changes.before')}</Table.Th>}
          <Table.Th>{t('changes.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ name, before, after }) => (
          <Table.Tr key={name}>
            <Table.Td pr="sm">{name}</Table.Td>
            {hasBefore && <Table.Td pr="sm">{before}</Table.Td>}
            <Table.Td>{after}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
