import type { Context } from '../context'
import type { Pace } from '../store/pace'

type Parts = Pick<Context, 'clock' | 'database'>

/**
 * Deletes a message: from then on it is neither shown nor counted. Its receipts, which may be very many, go a part at a time; what this
 * process does not come to is done by the job. Resolves with whether there was such a message.
 */
export async function removeMessage(parts: Parts, messageId: number, pace: Pace): Promise<boolean> {
  const now = Math.floor(parts.clock.now() / 1000)
  const { numUpdatedRows } = await parts.database.query
    .updateTable('messages')
    .set({ deleted_at: now, due_at: now })
    .where('id', '=', messageId)
    .where('kind', '=', '')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await removeReceipts(parts, messageId, pace)
  return true
}

/** Removes the receipts of a deleted message, and then its row. */
export async function removeReceipts({ database }: Parts, messageId: number, pace: Pace): Promise<void> {
  let isGoingOn = true
  while (isGoingOn) {
    const limit = pace.rows
    const gone = await pace.part(() =>
      database.query
        .deleteFrom('message_receipts')
        .where('message_id', '=', messageId)
        .where('user_id', 'in', (eb) =>
          eb
            .selectFrom('message_receipts')
            .select('user_id')
            .where('message_id', '=', messageId)
            .orderBy('user_id')
            .limit(limit),
        )
        .executeTakeFirst(),
    )
    isGoingOn = gone.numDeletedRows > 0n
  }
  await database.query.deleteFrom('messages').where('id', '=', messageId).where('deleted_at', 'is not', null).execute()
}
