import type { Transaction } from '../../platform/store/database'
import { idsAtOnce } from './audience'

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
