import { messageRoutes, userRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { FormDrawer, LoadedDrawer } from '../../components/dialogs/form-drawer'
import { showAtField } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { audienceOf, useAudienceCount } from './audience'
import { AudienceFields } from './audience-fields'
import { MessageFields } from './message-fields'
import { fieldOfWritten, type MessageValues, type Recipient, useMessageForm } from './message-form'
import { drawerWidth, messageReads } from './message-data'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../components/dialogs/confirm-dialog')).ConfirmDialog,
}))

interface NewMessageDrawerProps {
  /** Ids of the recipients, separated by commas. */
  readonly recipients: string | undefined
  readonly onClose: () => void
}

const noUsers: readonly Recipient[] = []

/** Writes and sends a message; to users who were chosen elsewhere, once their names are known. */
export function NewMessageDrawer({ recipients, onClose }: NewMessageDrawerProps) {
  return recipients === undefined ? (
    <MessageDrawer users={noUsers} onClose={onClose} />
  ) : (
    <MessageTo ids={recipients.split(',')} onClose={onClose} />
  )
}

function MessageTo({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const { t } = useTranslation('messages')
  const query = { ids: ids.join('\n'), page_size: ids.length }
  const read = useRead(userRoutes.searchUsers, { query }, { staleTime: 0 })
  return (
    <LoadedDrawer title={t('add')} width={drawerWidth} read={read} onClose={onClose}>
      {({ items }) => <MessageDrawer users={items} onClose={onClose} />}
    </LoadedDrawer>
  )
}

interface MessageDrawerProps {
  readonly users: readonly Recipient[]
  readonly onClose: () => void
}

/** Asks for confirmation before a message goes to everyone. */
function MessageDrawer({ users, onClose }: MessageDrawerProps) {
  const { t } = useTranslation('messages')
  const form = useMessageForm(users)
  const counted = useAudienceCount(form.values)
  const [isAsking, setAsking] = useState(false)
  const { kind } = form.values
  const fieldOfRecipients = kind === 'all' || kind === 'role' ? 'kind' : kind
  const send = useWrite(messageRoutes.createMessage, {
    changes: messageReads,
    onSuccess: () => {
      notifySuccess(t('created'))
      onClose()
    },
    onError: showAtField(form, {
      ...fieldOfWritten,
      'message.recipients': fieldOfRecipients,
      'message.recipients_unknown': fieldOfRecipients,
      'message.audience_empty': fieldOfRecipients,
    }),
  })
  const submit = () => send.mutate({ body: toSentMessage(form.values) })
  return (
    <>
      <FormDrawer
        isOpen
        title={t('add')}
        width={drawerWidth}
        isDirty={form.isDirty()}
        isSaving={send.isPending}
        saveText={t('send')}
        onSave={form.onSubmit(() => (kind === 'all' ? setAsking(true) : submit()))}
        onClose={onClose}
      >
        <MessageFields form={form} />
        <AudienceFields form={form} counted={counted.data} />
      </FormDrawer>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            title={t('confirm.title')}
            question={
              counted.data === undefined
                ? t('confirm.questionAll')
                : t('confirm.question', { count: counted.data.count })
            }
            confirmText={t('send')}
            isHarmless
            onConfirm={submit}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function toSentMessage(values: MessageValues) {
  const { title, content, format, users, sendMail } = values
  const audience = audienceOf(values)
  return {
    title: title.trim(),
    content: content.trim(),
    format,
    ...(audience ? { audience } : { user_ids: users.map(({ id }) => id) }),
    ...(sendMail && { send_mail: true }),
  }
}
