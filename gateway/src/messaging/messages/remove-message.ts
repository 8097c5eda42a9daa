import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'

type Deps = Pick<Context, 'clock' | 'database'>

/**
 * Deletes a message: from then on it is neither shown nor counted. Its receipts, which may be very many, are removed a part at a time; the
 * job does what this process does not get to. Resolves with whether there was such a message.
 */
export async function removeMessage(parts: Deps, messageId: number, pace: Pace): Promise<boolean> {
  const now = parts.clock.seconds()
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
export async function removeReceipts({ database: { query } }: Deps, messageId: number, pace: Pace): Promise<void> {
  let after: number | null = 0
  while (after !== null) {
    const stretch: Stretch = { after, limit: pace.rows }
    after = await pace.part(() => removeSome(query, messageId, stretch))
  }
  await query.deleteFrom('messages').where('id', '=', messageId).where('deleted_at', 'is not', null).execute()
}

interface Stretch {
  readonly after: number
  readonly limit: number
}

/** Continues after the deleted rows, which an index still has for a while. Resolves with the last user; null: there are no more. */
async function removeSome(query: Queries, messageId: number, { after, limit }: Stretch): Promise<number | null> {
  const next = query
    .selectFrom('message_receipts')
    .select('user_id')
    .where('message_id', '=', messageId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
  const last = (await next.execute()).at(-1)
  if (!last) return null
  await query
    .deleteFrom('message_receipts')
    .where('message_id', '=', messageId)
    .where('user_id', '>', after)
    .where('user_id', '<=', last.user_id)
    .execute()
  return last.user_id
}
