import type { OptionKey } from '@tollgate/contract'

import type { Queries, Transaction } from '../../platform/store/database'

/** Changes kept of each option. Some values are whole pages. */
export const maxStoredChanges = 50

/** One option before and after a change, as texts; of a secret only whether it was set. */
interface StoredChange {
  readonly key: OptionKey
  readonly before: string
  readonly after: string
  /** Unix seconds. */
  readonly created_at: number
  readonly request_id: string
  /** 0: a job. */
  readonly user_id: number
  readonly username: string
}

/** Adds a change to the history of its option, in the transaction that changes it. */
export async function keepOptionChange(change: StoredChange, transaction: Transaction): Promise<void> {
  await transaction.insertInto('option_changes').values(change).execute()
  const oldest = await transaction
    .selectFrom('option_changes')
    .select('id')
    .where('key', '=', change.key)
    .orderBy('id', 'desc')
    .offset(maxStoredChanges - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await transaction.deleteFrom('option_changes').where('key', '=', change.key).where('id', '<', oldest.id).execute()
}

/** Resolves with when an option was last changed, in unix seconds; null: never. */
export async function lastChangeOf(key: OptionKey, query: Queries | Transaction): Promise<number | null> {
  const last = await query
    .selectFrom('option_changes')
    .select('created_at')
    .where('key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.created_at ?? null
}

/** Stores the text of an option: of a secret one, sealed. Its change is announced by the caller. */
export async function storeOption(key: OptionKey, value: string, transaction: Transaction): Promise<void> {
  await transaction
    .insertInto('options')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
