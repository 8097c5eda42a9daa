import { useForm } from '@mantine/form'
import { messageRoutes, type role, type userRoutes } from '@tollgate/contract'
import * as z from 'zod'

import { checkedBy } from '../../lib/api/form-errors'
import { useTranslation } from '../../lib/text/i18n'

/** A single recipient. */
export type Recipient = Pick<userRoutes.UserName, 'id' | 'username' | 'display_name'>

/** The text of a message. */
export interface WrittenValues {
  title: string
  content: string
  format: messageRoutes.MessageFormat
}

export type AudienceKind = (typeof messageRoutes.messageAudiences)[number]
export type RoleName = Exclude<keyof typeof role, 'guest'>

/** Values of the drawer for a new message. */
export interface MessageValues extends WrittenValues {
  kind: AudienceKind
  users: readonly Recipient[]
  group: string | null
  role: RoleName
  model: string | null
  sendMail: boolean
}

export const newMessageValues: MessageValues = {
  title: '',
  content: '',
  format: 'markdown',
  kind: 'users',
  users: [],
  group: null,
  role: 'user',
  model: null,
  sendMail: false,
}

export type MessageFault = 'title' | 'content' | 'recipients' | 'tooMany'
type FaultFormatter = (fault: MessageFault) => string

const createContentFields = (messageOf: FaultFormatter) => ({
  title: z.string().refine((title) => title.trim() !== '', messageOf('title')),
  content: z.string().refine((content) => content.trim() !== '', messageOf('content')),
  format: z.enum(messageRoutes.messageFormats),
})

/** Validates a sent message; `say` returns the message of a fault. */
export const writtenSchema = (messageOf: FaultFormatter) => z.object(createContentFields(messageOf))

/** Validates a new message. */
export const messageSchema = (messageOf: FaultFormatter) =>
  z
    .object({
      ...createContentFields(messageOf),
      kind: z.enum(messageRoutes.messageAudiences),
      users: z.custom<readonly Recipient[]>(),
      group: z.string().nullable(),
      role: z.custom<RoleName>(),
      model: z.string().nullable(),
      sendMail: z.boolean(),
    })
    .superRefine(({ kind, users, group, model }, context) => {
      const refuse = (field: 'users' | 'group' | 'model', fault: MessageFault) =>
        context.addIssue({ code: 'custom', path: [field], message: messageOf(fault) })
      if (kind === 'users' && users.length === 0) refuse('users', 'recipients')
      if (kind === 'users' && users.length > messageRoutes.maxMessageRecipients) refuse('users', 'tooMany')
      if (kind === 'group' && group === null) refuse('group', 'recipients')
      if (kind === 'model' && model === null) refuse('model', 'recipients')
    })

/** Fields where the server's refusals are shown. */
export const fieldOfWritten = { 'message.title': 'title', 'message.content': 'content' } as const

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
