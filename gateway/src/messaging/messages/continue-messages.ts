import { daySeconds, userStatus } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Pace } from '../../platform/store/pace'
import type { MessageRow } from '../../platform/store/tables'
import { addReceipts } from './expand-audience'
import { removeReceipts } from './remove-message'
import { chosenLanguage } from '../../accounts/users/user-settings'
import { queueMails, waitingMails } from '../mail/queue-mail'
import type { Transaction } from '../../platform/store/database'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'database' | 'random'>

const messagesAtOnce = 20

/**
 * Completes messages: receipts that a dead process did not get to, copies by mail, receipts of deleted messages. Can be run again and
 * continues where it stopped.
 */
export async function continueMessages(parts: Deps, pace: Pace, signal: AbortSignal): Promise<void> {
  for (const message of await dueMessages(parts)) {
    if (signal.aborted) return
    await continueOne(parts, message, pace)
  }
}

async function continueOne(parts: Deps, message: MessageRow, pace: Pace): Promise<void> {
  if (message.deleted_at !== null) return removeReceipts(parts, message.id, pace)
  if (message.expand_after !== null) return addReceipts(parts, message.id, pace)
  if (message.mail_after !== null) return queueCopies(parts, message)
}

const dueMessages = ({ database, clock }: Deps) =>
  database.query
    .selectFrom('messages')
    .selectAll()
    .where('due_at', 'is not', null)
    .where('due_at', '<=', clock.seconds())
    .orderBy('due_at')
    .limit(messagesAtOnce)
    .execute()

type CopyDeps = Pick<Context, 'changes' | 'clock' | 'database' | 'random'>

/** Copies queued at once. More are queued when these are sent, so that a failing mail server does not pile them up. */
const maxWaiting = 200
/** What could not be queued by then is no longer news. */
const copySeconds = 3 * daySeconds

/** Queues copies of a message for its next recipients, as many as there is room for. Each recipient is handled once. */
async function queueCopies(parts: CopyDeps, message: MessageRow): Promise<void> {
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
