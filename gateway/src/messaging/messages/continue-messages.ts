import type { Context } from '../../context'
import type { Pace } from '../../platform/store/pace'
import type { MessageRow } from '../../platform/store/tables'
import { addReceipts } from './expand-audience'
import { queueCopies } from './queue-copies'
import { removeReceipts } from './remove-message'

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
