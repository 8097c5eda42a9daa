import { useForm } from '@mantine/form'

import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'
import { messageSchema, newMessageValues, type MessageValues, type Recipient } from './message-values'

/** The form of a new message, initially empty but for its recipients. */
export function useMessageForm(users: readonly Recipient[]) {
  const { t } = useTranslation('messages')
  return useForm<MessageValues>({
    initialValues: { ...newMessageValues, users },
    validate: checkedBy(
      messageSchema((fault) => t(`fault.${fault}`)),
      (sentence) => sentence,
    ),
  })
}
export type MessageForm = ReturnType<typeof useMessageForm>
