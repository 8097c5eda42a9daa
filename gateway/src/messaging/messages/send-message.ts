import type { messageRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import { audienceColumns, audienceSize, lastUserId, type StoredAudience } from './audience'
import { addReceipts, claimSeconds, insertReceipts } from './expand-audience'

type Deps = Pick<Context, 'clock' | 'database'>

/** A message written by a person, validated. */
export interface Written {
  readonly title: string
  readonly content: string
  readonly format: messageRoutes.MessageFormat
  readonly created_by: number
  readonly send_mail: boolean
}

/** Sends a message to users, whose ids differ. Resolves with its id. */
export const sendToUsers = (parts: Deps, written: Written, userIds: readonly number[]): Promise<number> =>
  parts.database.query.transaction().execute(async (transaction) => {
    const to = { audience: 'users', total_recipients: userIds.length, expand_after: null }
    const id = await insertMessage(parts, { ...written, ...to }, transaction)
    await insertReceipts(transaction, id, userIds)
    return id
  })

/**
 * Sends a message to an audience as it is now, without later members. To everyone it is one row; each member of another audience gets a
 * receipt, a part at a time. The job does what is left when this process ends. Resolves with its id; null: it would have no recipient.
 */
export async function sendToAudience(
  parts: Deps,
  written: Written,
  requestedAudience: messageRoutes.MessageAudience,
  pace: Pace,
): Promise<number | null> {
  const { query } = parts.database
  const audience: StoredAudience = {
    ...audienceColumns(requestedAudience),
    last_user_id: await lastUserId(query),
    created_at: parts.clock.seconds(),
  }
  const { count } = await audienceSize(query, audience, pace)
  if (count === 0) return null
  const isForAll = audience.audience === 'all'
  const to = { ...audience, total_recipients: isForAll ? count : 0, expand_after: isForAll ? null : 0 }
  const id = await query
    .transaction()
    .execute((transaction) => insertMessage(parts, { ...written, ...to }, transaction))
  if (!isForAll) await addReceipts(parts, id, pace)
  return id
}

type Recipients = Pick<StoredAudience, 'audience'> &
  Partial<StoredAudience> & { readonly total_recipients: number; readonly expand_after: number | null }

async function insertMessage(parts: Deps, message: Written & Recipients, transaction: Transaction): Promise<number> {
  const { send_mail: isMailed, expand_after: expandAfter, ...columns } = message
  const { id } = await transaction
    .insertInto('messages')
    .values({
      created_at: parts.clock.seconds(),
      ...columns,
      updated_at: parts.clock.seconds(),
      send_mail: isMailed ? 1 : 0,
      expand_after: expandAfter,
      mail_after: isMailed ? 0 : null,
      deleted_at: null,
      due_at: dueAt(parts, { isExpanding: expandAfter !== null, isMailed }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The job leaves to this process what this process does at once. */
function dueAt(parts: Deps, { isExpanding, isMailed }: { isExpanding: boolean; isMailed: boolean }): number | null {
  if (isExpanding) return parts.clock.seconds() + claimSeconds
  return isMailed ? parts.clock.seconds() : null
}
