import { ActionIcon, Group } from '@mantine/core'
import { IconEdit, IconEye, IconTrash } from '@tabler/icons-react'
import { messageRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { messageReads, type SentMessage } from './message-data'

interface MessageActionsProps {
  readonly message: SentMessage
  readonly onOpen: () => void
}

/** Edits and deletes a message, or shows it read-only. */
export function MessageActions({ message, onOpen }: MessageActionsProps) {
  const { t } = useTranslation('messages')
  const mayWrite = useViewer().may('messages.write')
  const remove = useWrite(messageRoutes.deleteMessage, {
    changes: messageReads,
    onSuccess: () => notifySuccess(t('deleted')),
  })
  const open = t(mayWrite ? 'action.edit' : 'action.view')
  const deletion = t('action.delete')
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <Tip label={open}>
        <ActionIcon aria-label={`${open}: ${message.title}`} onClick={onOpen}>
          {mayWrite ? <IconEdit size={16} /> : <IconEye size={16} />}
        </ActionIcon>
      </Tip>
      {mayWrite && (
        <ConfirmButton
          title={t('delete.title', { title: message.title })}
          question={t('delete.question')}
          confirmText={deletion}
          onConfirm={() => remove.mutate({ params: { id: message.id } })}
          trigger={(openConfirm) => (
            <Tip label={deletion}>
              <ActionIcon aria-label={`${deletion}: ${message.title}`} loading={remove.isPending} onClick={openConfirm}>
                <IconTrash size={16} />
              </ActionIcon>
            </Tip>
          )}
        />
      )}
    </Group>
  )
}
