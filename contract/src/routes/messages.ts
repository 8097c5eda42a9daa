import * as z from 'zod'

import { role } from '../rights/accounts'
import { searchResultOf, listOf, PageQuery } from '../http/paging'
import { readOnlyFields, route } from '../http/route'
import { flagText, nameText, plainText, UserId, wholeNumberText } from '../pricing/units'

export const messageFormats = ['markdown', 'html'] as const
export type MessageFormat = (typeof messageFormats)[number]

export const maxMessageTitleLength = 255
/** Characters. */
export const maxMessageContentLength = 65_536
/** The most recipients that one call can list by id. */
export const maxMessageRecipients = 10_000

/** A message to the caller. */
export const InboxMessage = z.object({
  id: z.int(),
  title: z.string(),
  /** As written: rendering code has to sanitize it. */
  content: z.string(),
  format: z.enum(messageFormats),
  /** Unix seconds, as all times here. */
  created_at: z.int(),
  is_read: z.boolean(),
  /** Null: unread. */
  read_at: z.int().nullable(),
  /** Written by the gateway itself: a low balance, a new device, a payment. */
  is_system: z.boolean(),
})
export type InboxMessage = z.output<typeof InboxMessage>

/** Who receives a message, besides users who are chosen one by one. Fixed when it is sent: later users do not receive it. */
export const MessageAudience = z.union([
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('group'), group: plainText(64).min(1) }),
  z.object({ kind: z.literal('role'), role: z.literal([role.user, role.admin, role.root]) }),
  /** Who called the model in the last 30 days. */
  z.object({ kind: z.literal('model'), model: plainText(255).min(1) }),
])
export type MessageAudience = z.output<typeof MessageAudience>

export const messageAudiences = ['users', 'all', 'group', 'role', 'model'] as const

/** A message as its sender sees it. */
export const MessageEntity = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  format: z.enum(messageFormats),
  created_at: z.int(),
  updated_at: z.int(),
  /** The sender. */
  created_by: z.int(),
  /** The name of that user; empty: the account is gone. */
  created_by_name: z.string(),
  audience: z.object({
    /** `users`: chosen one by one. */
    kind: z.enum(messageAudiences),
    /** The name of the group or model, the number of the role; otherwise empty. */
    value: z.string(),
  }),
  /** Also sent by mail. */
  send_mail: z.boolean(),
  stats: z.object({
    total_recipients: z.int(),
    read_count: z.int(),
    unread_count: z.int(),
    /** Part of the recipients who read it, from 0 to 1. */
    read_rate: z.number(),
  }),
})
export type MessageEntity = z.output<typeof MessageEntity>

export const MessageRecipient = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** Null: unread. */
  read_at: z.int().nullable(),
})
export type MessageRecipient = z.output<typeof MessageRecipient>

/** What the server checks with sentences of its own is not limited here. */
const written = {
  title: nameText(maxMessageTitleLength).default(''),
  content: plainText(maxMessageContentLength).trim().default(''),
  /** Blank: Markdown. */
  format: plainText(32).trim().optional(),
}

export const NewMessage = z.object({
  ...written,
  /** Users one by one; repeated ids count once. Exactly one of these and `audience`. */
  user_ids: z.array(UserId).max(maxMessageRecipients).optional(),
  audience: MessageAudience.optional(),
  /** Send a copy to each recipient who has a mail address. */
  send_mail: z.boolean().optional(),
})
export type NewMessage = z.output<typeof NewMessage>

export const MessageEdit = z.object({
  ...written,
  ...readOnlyFields(MessageEntity, written),
})
export type MessageEdit = z.output<typeof MessageEdit>

/** An invalid id is refused with a sentence of its own. */
const Params = z.object({ id: plainText(64) })
/** What was done, as a sentence. */
const Done = z.object({ message: z.string() })

export const listInbox = route({
  method: 'GET',
  path: '/api/user/messages',
  access: 'self.read',
  summary: 'Messages to the caller, newest first',
  query: PageQuery,
  data: listOf(InboxMessage),
})

export const unreadCount = route({
  method: 'GET',
  path: '/api/user/messages/unread_count',
  access: 'self.read',
  summary: 'How many messages the caller has not read',
  data: z.object({ unread_count: z.int() }),
})

export const readInboxMessage = route({
  method: 'GET',
  path: '/api/user/messages/{id}',
  access: 'self.read',
  summary: 'One message to the caller; does not mark it as read',
  params: Params,
  data: InboxMessage,
})

export const markRead = route({
  method: 'PUT',
  path: '/api/user/messages/{id}/read',
  // Like viewing a message: allowed on a demonstration site, and not recorded in the audit log.
  isWrite: false,
  access: 'self.write',
  summary: 'Mark a message as read; repeating it changes nothing',
  params: Params,
  envelopeFields: Done,
})

export const markAllRead = route({
  method: 'PUT',
  path: '/api/user/messages/read_all',
  isWrite: false,
  access: 'self.write',
  summary: 'Mark all messages to the caller as read; returns how many were unread',
  data: z.int(),
})

export const listMessages = route({
  method: 'GET',
  path: '/api/admin/messages',
  access: 'messages.read',
  summary: 'Messages that were sent to users, newest first',
  query: PageQuery.extend({
    /** Part of the title or the content. */
    keyword: plainText(255).trim().optional(),
  }),
  data: listOf(MessageEntity),
})

export const searchMessages = route({
  method: 'GET',
  path: '/api/admin/messages/search',
  access: 'messages.read',
  limit: 'search',
  summary: 'Messages by part of the title or content and by when they were sent',
  query: PageQuery.extend({
    keyword: plainText(255).trim().optional(),
    /** ISO dates or times, the end included; a day without a time is in the site's time zone. Half a range is ignored. */
    start_date: plainText(64).trim().optional(),
    end_date: plainText(64).trim().optional(),
  }),
  data: listOf(MessageEntity),
})

export const countAudience = route({
  method: 'GET',
  path: '/api/admin/messages/audience',
  access: 'messages.read',
  limit: 'search',
  summary: 'How many users would get a message to an audience',
  query: z.object({
    kind: z.enum(messageAudiences).exclude(['users']),
    group: plainText(64).optional(),
    role: wholeNumberText.optional(),
    model: plainText(255).optional(),
  }),
  data: z.object({
    count: z.int(),
    /** Those of them who have a mail address. */
    with_mail: z.int(),
    /** Whether a mail server is set up. */
    can_mail: z.boolean(),
  }),
})

export const getMessage = route({
  method: 'GET',
  path: '/api/admin/messages/{id}',
  access: 'messages.read',
  summary: 'One message',
  params: Params,
  data: MessageEntity,
})

export const listRecipients = route({
  method: 'GET',
  path: '/api/admin/messages/{id}/recipients',
  access: 'messages.read',
  summary: 'Who received a message and who read it when, by user id; a page from 1 with `p`, otherwise an array',
  params: Params,
  query: PageQuery.extend({
    /** Only those who read it, or only the others. */
    is_read: flagText.optional(),
  }),
  data: searchResultOf(MessageRecipient),
})

export const createMessage = route({
  method: 'POST',
  path: '/api/admin/messages',
  isCompound: true,
  audit: 'message.create',
  access: 'messages.write',
  summary: 'Send a message to users or an audience',
  body: NewMessage,
  data: MessageEntity,
  envelopeFields: Done,
})

export const updateMessage = route({
  method: 'PUT',
  path: '/api/admin/messages/{id}',
  audit: 'message.update',
  access: 'messages.write',
  summary: 'Change the text of a message; it stays read for those who read it',
  params: Params,
  body: MessageEdit,
  data: MessageEntity,
  envelopeFields: Done,
})

export const deleteMessage = route({
  method: 'DELETE',
  path: '/api/admin/messages/{id}',
  isCompound: true,
  audit: 'message.delete',
  access: 'messages.write',
  summary: 'Delete a message with its receipts',
  params: Params,
  envelopeFields: Done,
})
