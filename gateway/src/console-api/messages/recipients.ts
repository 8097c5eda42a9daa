import type { messageRoutes, Page } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import type { MessageRow } from '../../platform/store/tables'

/**
 * Resolves with a page of the recipients of a message, by user id, including accounts that are closed by now: there are as many as the
 * message counts. `isRead`: only those who read it, or only the others.
 */
export async function findRecipients(
  { database: { query } }: Pick<Context, 'database'>,
  message: MessageRow,
  isRead: boolean | undefined,
  { page, size, offset }: Page,
) {
  const found =
    message.audience === 'all' && isRead !== true ? everyone(query, message) : selectRecipients(query, message)
  const items: messageRoutes.MessageRecipient[] = await found
    .select(['users.id as user_id', 'users.username', 'users.display_name', 'message_receipts.read_at'])
    .$if(isRead !== undefined, (rows) => rows.where('message_receipts.read_at', isRead ? 'is not' : 'is', null))
    .orderBy('users.id')
    .limit(size)
    .offset(offset)
    .execute()
  return { items, page, page_size: size, total: totalOf(message, isRead) }
}

/** Users with a receipt; for a message to everyone, those who read it. */
const selectRecipients = (query: Queries, { id }: MessageRow) =>
  query
    .selectFrom('users')
    .leftJoin('message_receipts', 'message_receipts.user_id', 'users.id')
    .where('message_receipts.message_id', '=', id)

/** Every account of the time at which it was sent. */
const everyone = (query: Queries, { id, last_user_id: lastUserId, created_at: sentAt }: MessageRow) =>
  query
    .selectFrom('users')
    .leftJoin('message_receipts', (join) =>
      join.onRef('message_receipts.user_id', '=', 'users.id').on('message_receipts.message_id', '=', id),
    )
    .where('users.id', '<=', lastUserId)
    .where((eb) => eb.or([eb('users.deleted_at', 'is', null), eb('users.deleted_at', '>', sentAt)]))

function totalOf({ total_recipients: total, read_count: read }: MessageRow, isRead: boolean | undefined): number {
  if (isRead === undefined) return total
  return isRead ? read : total - read
}
