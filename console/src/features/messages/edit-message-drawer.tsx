import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId, useState } from 'react'
import { messageRoutes, pageIn } from '@tollgate/contract'

import { Facts } from '../../components/facts'
import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { useFormat } from '../../lib/text/use-format'
import { formatTime } from '../../lib/text/format'
import { checkedBy, showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { MessageAudience, MessageReads } from './message-cells'
import { MessageFields } from './message-fields'
import { fieldOfWritten, writtenSchema, type WrittenValues } from './message-form'
import { drawerWidth, messageReads, type SentMessage } from './message-data'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { ErrorState } from '../../components/page/state-message'
import { ListFooter } from './list-footer'
import { PlainTable } from '../../components/plain-table'
import { StatusBadge } from '../../components/status-badge'

/** A sent message: its text, which can be edited, and its readers. */
export function EditMessageDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation('messages')
  const mayWrite = useViewer().may('messages.write')
  const read = useRead(messageRoutes.getMessage, { params: { id } }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t(mayWrite ? 'edit' : 'view.title')} width={drawerWidth} read={read} onClose={onClose}>
      {(message) => <SentMessageForm message={message} onClose={onClose} />}
    </LoadedDrawer>
  )
}

function SentMessageForm({ message, onClose }: { readonly message: SentMessage; readonly onClose: () => void }) {
  const { t } = useTranslation('messages')
  const mayWrite = useViewer().may('messages.write')
  const { title, content, format } = message
  const form = useForm<WrittenValues>({
    initialValues: { title, content, format },
    validate: checkedBy(
      writtenSchema((fault) => t(`fault.${fault}`)),
      (sentence) => sentence,
    ),
  })
  const update = useWrite(messageRoutes.updateMessage, {
    changes: messageReads,
    onSuccess: () => {
      notifySuccess(t('saved'))
      onClose()
    },
    onError: showAtField(form, fieldOfWritten),
  })
  return (
    <FormDrawer
      isOpen
      title={t(mayWrite ? 'edit' : 'view.title')}
      width={drawerWidth}
      isDirty={form.isDirty()}
      isSaving={update.isPending}
      isReadOnly={!mayWrite}
      saveText={t('update')}
      onSave={form.onSubmit((values) =>
        update.mutate({
          params: { id: message.id },
          body: { title: values.title.trim(), content: values.content.trim(), format: values.format },
        }),
      )}
      onClose={onClose}
      after={<Recipients id={message.id} />}
    >
      <MessageFacts message={message} />
      <MessageFields form={form} />
    </FormDrawer>
  )
}

function MessageFacts({ message }: { readonly message: SentMessage }) {
  const { t } = useTranslation('messages')
  const { number } = useFormat()
  return (
    <Facts
      facts={[
        [t('fact.id'), message.id],
        [t('column.created'), formatTime(message.created_at)],
        [t('column.recipients'), number(message.stats.total_recipients)],
        [t('fact.read'), <MessageReads key="reads" message={message} />],
        [t('column.audience'), <MessageAudience key="audience" message={message} />],
        [t('column.sender'), message.created_by_name],
        [t('fact.mail'), message.send_mail && t('fact.mailed')],
      ]}
    />
  )
}

const pageSize = 10
const shown = ['all', 'read', 'unread'] as const
type Shown = (typeof shown)[number]

/** The recipients of a message, and when each of them read it. */
function Recipients({ id }: { readonly id: number }) {
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
        minWidth={420}
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
