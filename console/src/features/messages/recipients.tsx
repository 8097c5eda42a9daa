import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { messageRoutes, pageIn } from '@tollgate/contract'
import { useId, useState } from 'react'

import { ChoiceSelect } from '../../components/fields/choice-select'
import { ErrorState } from '../../components/page/state-message'
import { ListFooter } from './list-footer'
import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'
import { formatTime } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRead } from '../../lib/api/query'

const pageSize = 10
const shown = ['all', 'read', 'unread'] as const
type Shown = (typeof shown)[number]

/** The recipients of a message, and when each of them read it. */
export function Recipients({ id }: { readonly id: number }) {
  const { t } = useTranslation('messages')
  const titleId = useId()
  const [which, setWhich] = useState<Shown>('all')
  return (
    <Stack component="section" gap="sm" aria-labelledby={titleId}>
      <Group justify="space-between" gap="sm">
        <Title order={3} fz="md" id={titleId}>
          {t('recipients.title')}
        </Title>
        <ChoiceSelect
          size="xs"
          aria-label={t('recipients.which')}
          value={which}
          choices={shown.map((value) => ({ value, label: t(`recipients.${value}`) }))}
          onChange={setWhich}
        />
      </Group>
      <RecipientTable key={which} id={id} which={which} />
    </Stack>
  )
}

function RecipientTable({ id, which }: { readonly id: number; readonly which: Shown }) {
  const { t } = useTranslation('messages')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useRead(
    messageRoutes.listRecipients,
    {
      params: { id },
      query: { p: page, page_size: pageSize, is_read: which === 'all' ? undefined : which === 'read' },
    },
    { select: pageIn, staleTime: 0 },
  )
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} isSmall />
  if (!data) return <Skeleton h={200} />
  const { items, total } = data
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('recipients.none')}
      </Text>
    )
  return (
    <>
      <PlainTable
        label={t('recipients.title')}
        minWidth={320}
        columns={[t('recipients.user'), t('recipients.name'), t('recipients.readAt')]}
        rows={items.map(({ user_id: userId, username, display_name: name, read_at: readAt }) => ({
          key: String(userId),
          cells: [
            username,
            name,
            readAt === null ? <StatusBadge tone="neutral">{t('recipients.unread')}</StatusBadge> : formatTime(readAt),
          ],
        }))}
      />
      <ListFooter page={page} size={pageSize} total={total} onChange={setPage} />
    </>
  )
}
