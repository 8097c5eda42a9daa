import { useForm } from '@mantine/form'

import { checkedBy } from '../../lib/form-errors'
import { useTranslation } from '../../lib/i18n'
import { messageSchema, newMessageValues, type MessageValues } from './message-values'

/** The form of a new message, initially empty. */
export function useMessageForm() {
  const { t } = useTranslation('messages')
  return useForm<MessageValues>({
    initialValues: newMessageValues,
    validate: checkedBy(
      messageSchema((fault) => t(`fault.${fault}`)),
      (sentence) => sentence,
    ),
  })
}
export type MessageForm = ReturnType<typeof useMessageForm>
