import type { Page } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Queries, Transaction } from '../../platform/store/database'
import type { MessageRow } from '../../platform/store/tables'
import { idsAtOnce } from './audience'

/** A message as it is in the inbox of a user. */
export type InboxRow = MessageRow & {
  /** Null: unread. */
  readonly my_read_at: number | null
}

/** Messages to everyone without a receipt of the user, which are those not read. */
const unreadToAll = (query: Queries | Transaction, userId: number) =>
  query
    .selectFrom('messages')
    .where('audience', '=', sql.lit('all'))
    .where('last_user_id', '>=', userId)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('message_receipts')
            .select('user_id')
            .whereRef('message_receipts.message_id', '=', 'messages.id')
            .where('message_receipts.user_id', '=', userId),
        ),
      ),
    )

const inboxOf = (query: Queries, userId: number) =>
  query
    .selectFrom(
      query
        .selectFrom('message_receipts')
        .select(['message_id', 'read_at as my_read_at'])
        .where('user_id', '=', userId)
        .unionAll(
          unreadToAll(query, userId).select([
            'id as message_id',
            sql<number | null>`cast(null as bigint)`.as('my_read_at'),
          ]),
        )
        .as('mine'),
    )
    .innerJoin('messages', 'messages.id', 'mine.message_id')
    .where('messages.deleted_at', 'is', null)

/** Resolves with a page of the messages to a user, newest first. */
export async function findInbox(query: Queries, userId: number, { size, offset }: Page) {
  const mine = inboxOf(query, userId)
  const rows: InboxRow[] = await mine
    .selectAll('messages')
    .select('mine.my_read_at')
    .orderBy('messages.id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await mine.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Resolves with one message to a user; undefined where there is none. */
export const inboxMessage = (query: Queries, userId: number, messageId: number): Promise<InboxRow | undefined> =>
  inboxOf(query, userId)
    .selectAll('messages')
    .select('mine.my_read_at')
    .where('messages.id', '=', messageId)
    .executeTakeFirst()

/** Resolves with how many messages a user has not read. Polled by every open page: indexes alone answer it. */
export async function countUnread(query: Queries, userId: number): Promise<number> {
  const { mine, ofAll } = await query
    .selectNoFrom((eb) => [
      eb
        .selectFrom('message_receipts')
        .innerJoin('messages', 'messages.id', 'message_receipts.message_id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('message_receipts.user_id', '=', userId)
        .where('message_receipts.read_at', 'is', null)
        .where('messages.deleted_at', 'is', null)
        .as('mine'),
      unreadToAll(query, userId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('ofAll'),
    ])
    .executeTakeFirstOrThrow()
  return Number(mine) + Number(ofAll)
}

/** Marks a message as read by a user. Resolves with whether it is one of the user's; marking it again changes nothing. */
export const markRead = (
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  userId: number,
  messageId: number,
): Promise<boolean> =>
  database.query.transaction().execute(async (transaction) => {
    const now = clock.seconds()
    const marked = await markReceipts(transaction, { userId, now, messageId })
    await countReads(transaction, marked)
    if (marked.length > 0) return true
    const known = await transaction
      .selectFrom('message_receipts')
      .innerJoin('messages', 'messages.id', 'message_receipts.message_id')
      .select('messages.id')
      .where('message_receipts.message_id', '=', messageId)
      .where('message_receipts.user_id', '=', userId)
      .where('messages.deleted_at', 'is', null)
      .executeTakeFirst()
    return known !== undefined
  })

/** Marks everything as read. Resolves with how many messages were unread. */
export const markAllRead = (
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  userId: number,
): Promise<number> =>
  database.query.transaction().execute(async (transaction) => {
    const marked = await markReceipts(transaction, { userId, now: clock.seconds() })
    return countReads(transaction, marked)
  })

interface Marked {
  readonly userId: number
  readonly now: number
  /** Absent: all. */
  readonly messageId?: number
}

/** Resolves with the ids of the messages that were unread. */
async function markReceipts(transaction: Transaction, { userId, now, messageId }: Marked): Promise<readonly number[]> {
  const marked = await transaction
    .updateTable('message_receipts')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(messageId !== undefined, (query) => query.where('message_id', '=', messageId ?? 0))
    .returning('message_id')
    .execute()
  const added = await transaction
    .insertInto('message_receipts')
    .columns(['message_id', 'user_id', 'read_at'])
    .expression(
      unreadToAll(transaction, userId)
        .$if(messageId !== undefined, (query) => query.where('id', '=', messageId ?? 0))
        .select([
          'id',
          sql<number>`cast(${userId} as bigint)`.as('user_id'),
          sql<number>`cast(${now} as bigint)`.as('now'),
        ]),
    )
    .onConflict((conflict) => conflict.columns(['message_id', 'user_id']).doNothing())
    .returning('message_id')
    .execute()
  return [...marked, ...added].map(({ message_id: id }) => id)
}

/** Counts the reads at their messages, always in the same order: two readers never deadlock. Resolves with how many there were. */
async function countReads(transaction: Transaction, messageIds: readonly number[]): Promise<number> {
  let count = 0
  for (const id of messageIds.toSorted((one, other) => one - other)) {
    const { numUpdatedRows } = await transaction
      .updateTable('messages')
      .set((eb) => ({ read_count: eb('read_count', '+', 1) }))
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    count += Number(numUpdatedRows)
  }
  return count
}

/** Removes the notifications of a user whose account is closed. Messages written by people stay, with their recipients. */
export async function clearInbox(userId: number, transaction: Transaction): Promise<void> {
  const notifications = await transaction
    .selectFrom('message_receipts')
    .innerJoin('messages', 'messages.id', 'message_receipts.message_id')
    .select('messages.id')
    .where('message_receipts.user_id', '=', userId)
    .where('messages.audience', '=', 'one')
    .execute()
  const ids = notifications.map(({ id }) => id)
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const some = ids.slice(start, start + idsAtOnce)
    await transaction.deleteFrom('message_receipts').where('message_id', 'in', some).execute()
    await transaction.deleteFrom('messages').where('id', 'in', some).execute()
  }
}
