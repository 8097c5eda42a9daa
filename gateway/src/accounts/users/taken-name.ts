import { AppError } from '../../app-error'
import type { Transaction } from '../../store/database'
import { usernameKey } from './credentials'

/**
 * Names of closed accounts stay taken.
 * @throws AppError `user.exists` when someone else has the name or one that looks like it.
 */
export async function refuseTakenName(name: string, userId: number, transaction: Transaction) {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(name))
    .where('id', '!=', userId)
    .executeTakeFirst()
  if (other) throw new AppError('user.exists')
}
