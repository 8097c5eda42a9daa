import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import type { MessageRow } from '../../platform/store/tables'
import { idsAtOnce, nextMembers } from './audience'

type Deps = Pick<Context, 'clock' | 'database'>

/** A process that has not continued its work by then is dead. */
export const claimSeconds = 60

/**
 * Gives each member of a message's audience a receipt, a part of the accounts at a time, from where it was left. Ends early where another
 * process does the same, and where the message was deleted.
 */
export async function addReceipts({ database, clock }: Deps, messageId: number, pace: Pace): Promise<void> {
  let isGoingOn = true
  while (isGoingOn) {
    const dueAt = clock.seconds() + claimSeconds
    isGoingOn = await pace.part(() =>
      database.query.transaction().execute(async (transaction) => {
        const message = await expanding(transaction, messageId)
        return message ? addSome(transaction, message, { limit: pace.rows, dueAt }) : false
      }),
    )
  }
}

const expanding = (transaction: Transaction, id: number) =>
  transaction
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('expand_after', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Resolves with whether there may be more. */
async function addSome(
  transaction: Transaction,
  message: MessageRow,
  { limit, dueAt }: { readonly limit: number; readonly dueAt: number },
): Promise<boolean> {
  const after = message.expand_after ?? 0
  const { members, last } = await nextMembers(transaction, message, { after, limit })
  const isLast = last === null
  // Compare-and-set: of two that add the same receipts one goes on.
  const { numUpdatedRows } = await transaction
    .updateTable('messages')
    .set((eb) => ({
      expand_after: last,
      total_recipients: eb('total_recipients', '+', members.length),
      due_at: isLast ? (message.mail_after === null ? null : message.created_at) : dueAt,
    }))
    .where('id', '=', message.id)
    .where('expand_after', '=', after)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await insertReceipts(
    transaction,
    message.id,
    members.map(({ id }) => id),
  )
  return !isLast
}

/** Inserts unread receipts, which must not exist yet. */
export async function insertReceipts(
  transaction: Transaction,
  messageId: number,
  userIds: readonly number[],
): Promise<void> {
  for (let start = 0; start < userIds.length; start += idsAtOnce) {
    const some = userIds.slice(start, start + idsAtOnce)
    await transaction
      .insertInto('message_receipts')
      .values(some.map((userId) => ({ message_id: messageId, user_id: userId, read_at: null })))
      .execute()
  }
}
