import { messageRoutes, type UserId } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { isMailSetUp } from '../../messaging/mail/smtp'
import { openAccounts } from '../../messaging/messages/audience'
import { sendToAudience, sendToUsers, type Written } from '../../messaging/messages/send-message'
import type { Pace } from '../../platform/store/pace'
import type { MessageRow } from '../../platform/store/tables'

const { messageFormats } = messageRoutes
/** Ids that a refusal names. */
const idsNamed = 10

/**
 * Sends a message to its recipients. Resolves with the id of the message.
 * @throws AppError `message.title`, `message.content`, `message.format`, `message.recipients`, `message.recipients_twice`,
 * `message.recipients_unknown`, `message.audience_empty`, `message.mail_off`.
 */
export async function sendMessage(
  ctx: Context,
  authorId: number,
  body: messageRoutes.NewMessage,
  pace: Pace,
): Promise<number> {
  const { user_ids: ids = [], audience, send_mail: isMailed = false } = body
  const written: Written = { ...checkedText(body), created_by: authorId, send_mail: isMailed }
  if (isMailed && !isMailSetUp(ctx.catalog.current.options)) throw new AppError('message.mail_off')
  if (!audience) return sendToUsers(ctx, written, await checkedRecipients(ctx, ids))
  if (ids.length > 0) throw new AppError('message.recipients_twice')
  const id = await sendToAudience(ctx, written, audience, pace)
  if (id === null) throw new AppError('message.audience_empty')
  return id
}

/** Each once. */
async function checkedRecipients({ database }: Context, ids: readonly UserId[]): Promise<readonly number[]> {
  const uniqueIds = [...new Set<number>(ids)]
  if (uniqueIds.length === 0) throw new AppError('message.recipients')
  const known = await openAccounts(database.query, uniqueIds)
  const unknown = uniqueIds.filter((id) => !known.has(id))
  if (unknown.length === 0) return uniqueIds
  const named = unknown.slice(0, idsNamed).join(', ')
  const shown = unknown.length > idsNamed ? `${named}, …` : named
  throw new AppError('message.recipients_unknown', { params: { ids: shown } })
}

interface Text {
  readonly title: string
  readonly content: string
  readonly format: messageRoutes.MessageFormat
}

function checkedText({ title, content, format }: Pick<messageRoutes.NewMessage, keyof Text>): Text {
  if (title === '') throw new AppError('message.title')
  if (content === '') throw new AppError('message.content')
  const known = messageFormats.find((name) => name === (format || 'markdown'))
  if (!known) throw new AppError('message.format')
  return { title, content, format: known }
}

/**
 * Changes the text of a message; it stays read for those who read it. Resolves with the new text.
 * @throws AppError `message.none`, `message.title`, `message.content`, `message.format`.
 */
export async function editMessage(
  { database, clock }: Context,
  message: MessageRow,
  body: messageRoutes.MessageEdit,
): Promise<Text> {
  const text = checkedText({ ...body, format: body.format || message.format })
  const { numUpdatedRows } = await database.query
    .updateTable('messages')
    .set({ ...text, updated_at: clock.seconds() })
    .where('id', '=', message.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new AppError('message.none')
  return text
}
