import { sql } from 'kysely'

import type { Database, Transaction } from '../../platform/store/database'

/** Rows that one pass removes at most. */
const maxRows = 1000

/** What may be removed of a user: a turn, or a conversation with its items. */
interface Removable {
  readonly hash: string
  readonly bytes: number
  readonly expires_at: number
}

/** Removes the least recently used turns and conversations of a user who has more than `maxBytes` of them. */
export async function trimUser(database: Database, userId: number, maxBytes: number): Promise<void> {
  for (;;) {
    const excess = (await bytesOfUser(database, userId)) - maxBytes
    if (excess <= 0) return
    await database.query.transaction().execute((transaction) => removeOldest(transaction, userId, excess))
  }
}

/** Resolves with the bytes of a user's turns and conversations. */
async function bytesOfUser({ query }: Pick<Database, 'query'>, userId: number): Promise<number> {
  const ofTable = (table: 'response_turns' | 'conversations') =>
    query
      .selectFrom(table)
      .select(sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  const [turns, conversations] = [await ofTable('response_turns'), await ofTable('conversations')]
  return turns.bytes + conversations.bytes
}

async function removeOldest(transaction: Transaction, userId: number, excess: number): Promise<void> {
  const oldest = (table: 'response_turns' | 'conversations'): Promise<Removable[]> =>
    transaction
      .selectFrom(table)
      .select(['id_hash as hash', 'bytes', 'expires_at'])
      .where('user_id', '=', userId)
      .orderBy('expires_at')
      .limit(maxRows)
      .execute()
  const turns = await oldest('response_turns')
  const conversations = await oldest('conversations')
  const all = [...turns, ...conversations].sort((one, other) => one.expires_at - other.expires_at).slice(0, maxRows)
  let left = excess
  const removed = new Set<Removable>()
  for (const one of all) {
    if (left <= 0) break
    left -= one.bytes
    removed.add(one)
  }
  const hashesIn = (rows: readonly Removable[]) => rows.filter((row) => removed.has(row)).map(({ hash }) => hash)
  const ofTurns = hashesIn(turns)
  if (ofTurns.length > 0)
    await transaction
      .deleteFrom('response_turns')
      .where('user_id', '=', userId)
      .where('id_hash', 'in', ofTurns)
      .execute()
  await removeConversations(transaction, hashesIn(conversations))
}

/** Deletes conversations with their items. */
export async function removeConversations(transaction: Transaction, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await transaction.deleteFrom('conversations').where('id_hash', 'in', hashes).execute()
  await transaction.deleteFrom('conversation_items').where('conversation_hash', 'in', hashes).execute()
}
