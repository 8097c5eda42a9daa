import { userStatus, daySeconds } from '@tollgate/contract'

import { chosenLanguage } from '../../accounts/users/chosen-language'
import type { Context } from '../../context'
import { queueMails, waitingMails } from '../mail/queue-mail'
import type { Transaction } from '../../platform/store/database'
import type { MessageRow } from '../../platform/store/tables'

type Deps = Pick<Context, 'changes' | 'clock' | 'database' | 'random'>

/** Copies queued at once. More are queued when these are sent, so that a failing mail server does not pile them up. */
const maxWaiting = 200
/** What could not be queued by then is no longer news. */
const copySeconds = 3 * daySeconds

/** Queues copies of a message for its next recipients, as many as there is room for. Each recipient is handled once. */
export async function queueCopies(parts: Deps, message: MessageRow): Promise<void> {
  const { query } = parts.database
  const room = maxWaiting - (await waitingMails(query, 'message'))
  if (room <= 0) return
  const isLate = parts.clock.seconds() - message.created_at > copySeconds
  await query.transaction().execute(async (transaction) => {
    const recipients = isLate ? [] : await nextRecipients(transaction, message, room)
    const last = recipients.at(-1)
    const isDone = recipients.length < room || last === undefined
    // Compare-and-set: of two that queue the same copies one does.
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set(isDone ? { mail_after: null, due_at: null } : { mail_after: last.id })
      .where('id', '=', message.id)
      .where('mail_after', '=', message.mail_after)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n || last === undefined) return
    const copies = recipients.map(({ email, username, setting }) => ({
      kind: 'message' as const,
      to: email ?? '',
      language: chosenLanguage(setting) ?? 'zh',
      params: { messageId: message.id, username },
    }))
    await queueMails(parts, copies, transaction)
  })
  await parts.changes.deliver()
}

/** By id, those who can get a mail. */
function nextRecipients(transaction: Transaction, message: MessageRow, limit: number) {
  const after = message.mail_after ?? 0
  return transaction
    .selectFrom('users')
    .select(['users.id', 'users.username', 'users.setting', 'users.email'])
    .$if(message.audience === 'all', (query) =>
      query.where('users.id', '>', after).where('users.id', '<=', message.last_user_id),
    )
    .$if(message.audience !== 'all', (query) =>
      query
        .innerJoin('message_receipts', 'message_receipts.user_id', 'users.id')
        .where('message_receipts.message_id', '=', message.id)
        .where('message_receipts.user_id', '>', after),
    )
    .where('users.email', '<>', '')
    .where('users.status', '=', userStatus.enabled)
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id')
    .limit(limit)
    .execute()
}
