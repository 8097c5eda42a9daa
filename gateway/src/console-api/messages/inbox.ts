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
import { formatOf } from './find-messages'
import type { Context } from '../../context'
import { formatSentences } from '../../messaging/mail/compose'
import { mailKinds, type MailParams } from '../../messaging/mail/mail-kinds'
import { prepareMail } from '../../messaging/mail/prepare-mail'
import { parsedJson } from '../../platform/text/parsed-json'
import type { MessageRow } from '../../platform/store/tables'
import { notificationKinds, type NotificationKind } from '../../messaging/messages/add-notification'

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

/** Parses the id in a path. @throws AppError `message.id`. */
export function messageId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new AppError('message.id')
  return id
}

type Deps = Pick<Context, 'database' | 'clock' | 'random' | 'seal' | 'catalog'>

/** Resolves with title and Markdown of a notification; a later release may have kinds that this one does not know. */
export async function notificationText(
  parts: Deps,
  { kind, params }: Pick<MessageRow, 'kind' | 'params'>,
  language: 'zh' | 'en',
): Promise<{ readonly title: string; readonly content: string }> {
  if (!isTellingKind(kind)) return { title: kind, content: '' }
  const { SystemName: site, ServerAddress: address } = parts.catalog.current.options
  const mail = await prepareMail(parts, kind, { to: '', params: paramsOf(kind, params) })
  if (!mail) return { title: kind, content: '' }
  const title = formatSentences(mail, language, site).subject
  const { lead, note, action } = formatSentences(mail, language, site, literalMarkdown)
  const link = linkOf(mail.link ?? '', address)
  return { title, content: [lead, note, link && action && `[${action}](${link})`].filter(Boolean).join('\n\n') }
}

const isTellingKind = (kind: string): kind is NotificationKind => notificationKinds.some((known) => known === kind)

const paramsOf = <Kind extends NotificationKind>(kind: Kind, params: string): MailParams<Kind> =>
  mailKinds[kind].params.parse(parsedJson(params)) as MailParams<Kind>

/** Within the console; its reader has signed in. */
function linkOf(link: string, address: string): string {
  const path = link.startsWith(address) ? link.slice(address.length) : link
  return path === '/login' ? '' : path
}

/** Escapes the characters with a meaning within a line of Markdown. */
const literalMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>~|&!#]/g, '\\$&')
