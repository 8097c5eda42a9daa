import { sql } from 'kysely'
import type { Selectable } from 'kysely'

import type { Queries, Transaction } from '../../platform/store/database'
import type { SealContext } from '../../platform/store/seal'
import type { ObjectOwner } from '../vendor-objects/vendor-objects'
import type { Tables } from '../../platform/store/tables'

export type TurnRow = Selectable<Tables['response_turns']>

export const turnContext = (hash: string, userId: number): SealContext => `response_turns.sealed#${hash}:${userId}`

/** A thread of more turns is not read back. */
export const maxThreadTurns = 10_000

interface Search {
  readonly owner: ObjectOwner
  readonly hash: string
  /** Unix seconds. */
  readonly now: number
}

/** Resolves with a turn of the owner's. */
export const findTurn = (query: Queries, { owner, hash, now }: Search): Promise<TurnRow | undefined> =>
  query
    .selectFrom('response_turns')
    .selectAll()
    .where('id_hash', '=', hash)
    .where('user_id', '=', owner.userId)
    .$if(owner.tokenId !== null, (select) => select.where('token_id', '=', owner.tokenId ?? 0))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Resolves with the turns of the owner's that have one of these items, without what they say. */
export const findTurnsWith = (
  query: Queries,
  { owner, hashes, now }: Omit<Search, 'hash'> & { readonly hashes: readonly string[] },
): Promise<Pick<TurnRow, 'id_hash' | 'bytes'>[]> =>
  query
    .selectFrom('response_turns')
    .select(['id_hash', 'bytes'])
    .where('user_id', '=', owner.userId)
    .where('id_hash', 'in', (eb) =>
      eb
        .selectFrom('response_turn_items')
        .select('turn_hash')
        .where('user_id', '=', owner.userId)
        .where('item_hash', 'in', hashes),
    )
    .$if(owner.tokenId !== null, (select) => select.where('token_id', '=', owner.tokenId ?? 0))
    .where('expires_at', '>', now)
    .execute()

/** Resolves with turns of a user's. */
export const readTurns = (query: Queries, userId: number, hashes: readonly string[]): Promise<TurnRow[]> =>
  query.selectFrom('response_turns').selectAll().where('user_id', '=', userId).where('id_hash', 'in', hashes).execute()

/** What was read of a thread, the first turn first. */
export interface ReadThread {
  readonly rows: readonly TurnRow[]
  /** There are more before the first, which were not read. */
  readonly isTooLarge: boolean
}

/**
 * Resolves with a turn of the owner's and those before it, in one statement; where they have more bytes, with rows that say no more than that.
 * `cross join` is a join to PostgreSQL; to SQLite it also says that each turn is looked up by the name that the one behind it has. Otherwise it
 * reads all turns of the user for each.
 */
export async function findThread(
  query: Queries,
  { owner, hash, now, maxBytes }: Search & { readonly maxBytes: number },
): Promise<ReadThread> {
  const ofOwner =
    owner.tokenId === null
      ? sql`t.user_id = ${owner.userId}`
      : sql`t.user_id = ${owner.userId} and t.token_id = ${owner.tokenId}`
  const { rows } = await sql<TurnRow & { depth: number; total: number }>`
    with recursive thread (id_hash, previous_hash, depth, total) as (
      select t.id_hash, t.previous_hash, 1, t.bytes from response_turns t
      where t.id_hash = ${hash} and ${ofOwner} and t.expires_at > ${now}
      union all
      select t.id_hash, t.previous_hash, thread.depth + 1, thread.total + t.bytes
      from thread cross join response_turns t
      where t.id_hash = thread.previous_hash and ${ofOwner} and t.expires_at > ${now}
        and thread.total <= ${maxBytes} and thread.depth <= ${maxThreadTurns}
    )
    select t.id_hash, t.user_id, t.token_id, t.previous_hash, t.thread_hash, t.bytes, t.expires_at, thread.depth, thread.total,
      case
        when (select max(total) from thread) <= ${maxBytes} and (select max(depth) from thread) <= ${maxThreadTurns}
        then t.sealed else ''
      end as sealed
    from thread cross join response_turns t
    where t.id_hash = thread.id_hash and ${ofOwner} order by thread.depth desc`.execute(query)
  const [first] = rows
  return { rows, isTooLarge: first !== undefined && (first.total > maxBytes || first.depth > maxThreadTurns) }
}

/** A turn that is ready to be written. `thread_hash` is empty where the turn before it has it. */
export async function writeTurns(query: Queries, rows: readonly TurnRow[]): Promise<void> {
  const latest = new Map(rows.map((row) => [`${row.user_id}:${row.id_hash}`, row]))
  await query
    .insertInto('response_turns')
    .values((eb) =>
      [...latest.values()].map((row) => ({
        ...row,
        thread_hash:
          row.thread_hash !== ''
            ? row.thread_hash
            : eb.fn.coalesce(
                eb
                  .selectFrom('response_turns as before')
                  .select('before.thread_hash')
                  .where('before.id_hash', '=', row.previous_hash)
                  .where('before.user_id', '=', row.user_id),
                eb.val(row.previous_hash),
              ),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['id_hash', 'user_id']).doUpdateSet((eb) => ({
        token_id: eb.ref('excluded.token_id'),
        previous_hash: eb.ref('excluded.previous_hash'),
        thread_hash: eb.ref('excluded.thread_hash'),
        sealed: eb.ref('excluded.sealed'),
        bytes: eb.ref('excluded.bytes'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

/** Deletes turns that were written while they were being deleted. */
export async function removeTurns(
  query: Queries,
  rows: readonly Pick<TurnRow, 'id_hash' | 'user_id'>[],
): Promise<void> {
  for (const { id_hash: hash, user_id: userId } of rows)
    await query.deleteFrom('response_turns').where('id_hash', '=', hash).where('user_id', '=', userId).execute()
}

interface Renewal {
  /** Unix seconds. */
  readonly now: number
  readonly expiresAt: number
  /** Turns that expire later stay as they are: a thread is not written with each of its turns. */
  readonly before: number
}

/** Renews the threads of turns that were added. */
export async function renewThreads(
  query: Queries,
  rows: readonly TurnRow[],
  { now, expiresAt, before }: Renewal,
): Promise<void> {
  const continued = rows.filter(({ previous_hash: previous }) => previous !== '')
  if (continued.length === 0) return
  await query
    .updateTable('response_turns')
    .set({ expires_at: expiresAt })
    .where('expires_at', '>', now)
    .where('expires_at', '<', before)
    .where(
      sql<boolean>`(user_id, thread_hash) in (select user_id, thread_hash from response_turns where ${sql.join(
        continued.map(({ id_hash: hash, user_id: userId }) => sql`(id_hash = ${hash} and user_id = ${userId})`),
        sql` or `,
      )})`,
    )
    .execute()
}

/** Deletes all turns and conversations of a user. */
export async function removeTurnsOf(userId: number, query: Queries | Transaction): Promise<void> {
  await query.deleteFrom('response_turns').where('user_id', '=', userId).execute()
  await query
    .deleteFrom('conversation_items')
    .where('conversation_hash', 'in', (eb) =>
      eb.selectFrom('conversations').select('id_hash').where('user_id', '=', userId),
    )
    .execute()
  await query.deleteFrom('conversations').where('user_id', '=', userId).execute()
}
