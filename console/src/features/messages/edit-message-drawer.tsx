import { useForm } from '@mantine/form'
import { messageRoutes } from '@tollgate/contract'

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
import { fieldOfWritten, writtenSchema, type WrittenValues } from './message-values'
import { Recipients } from './recipients'
import { drawerWidth, messageReads, type SentMessage } from './message-data'

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
