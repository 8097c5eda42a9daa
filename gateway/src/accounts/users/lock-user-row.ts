import type { Transaction } from '../../platform/store/database'

/**
 * Locks a user's row until the transaction ends, so that what others do under this lock at the same time comes before or after. It writes,
 * so that SQLite has the write lock too.
 */
export async function lockUserRow(transaction: Transaction, userId: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set((eb) => ({ aff_count: eb.ref('aff_count') }))
    .where('id', '=', userId)
    .execute()
}
