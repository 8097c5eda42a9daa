import { messageRoutes, pageOf } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { sentence } from '../../http/language'
import {
  countUnread,
  findInbox,
  inboxMessage,
  markAllRead,
  markRead,
  type InboxRow,
} from '../../messaging/messages/inbox'
import { notificationText } from '../../messaging/messages/notification-text'
import { formatOf } from './find-messages'
import { messageId } from './message-id'

/** Returns a message as its reader sees it; notifications of the gateway are in the reader's language. */
async function toInboxMessage(row: InboxRow, { ctx, language }: Call<'user'>): Promise<messageRoutes.InboxMessage> {
  const text = row.kind === '' ? row : await notificationText(ctx, row, language)
  return {
    id: row.id,
    title: text.title,
    content: text.content,
    format: formatOf(row),
    created_at: row.created_at,
    is_read: row.my_read_at !== null,
    read_at: row.my_read_at,
    is_system: row.kind !== '',
  }
}

export const inboxHandlers: readonly Handler[] = [
  handler(messageRoutes.listInbox, async ({ query }, call) => {
    const requestedPage = pageOf(query)
    const { rows, total } = await findInbox(call.ctx.database.query, call.caller.userId, requestedPage)
    const items = await Promise.all(rows.map((row) => toInboxMessage(row, call)))
    return { items, page: requestedPage.page, page_size: requestedPage.size, total }
  }),
  handler(messageRoutes.unreadCount, async (_input, { ctx, caller }) => ({
    unread_count: await countUnread(ctx.database.query, caller.userId),
  })),
  handler(messageRoutes.readInboxMessage, async ({ params }, call) => {
    const row = await inboxMessage(call.ctx.database.query, call.caller.userId, messageId(params.id))
    if (!row) throw new AppError('message.not_yours')
    return toInboxMessage(row, call)
  }),
  handler(messageRoutes.markRead, async ({ params }, { ctx, caller, language }) => {
    if (!(await markRead(ctx, caller.userId, messageId(params.id)))) throw new AppError('message.not_yours')
    return { data: undefined, envelopeFields: { message: sentence('done.message_read', {}, language) } }
  }),
  handler(messageRoutes.markAllRead, (_input, { ctx, caller }) => markAllRead(ctx, caller.userId)),
]
