import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import { usernameKey } from './credentials'

/** Names of closed accounts stay taken. @throws AppError `user.exists` when another user has the name or a similar-looking one. */
export async function refuseTakenName(name: string, userId: number, transaction: Transaction) {
  const other = await transaction
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(name))
    .where('id', '!=', userId)
    .executeTakeFirst()
  if (other) throw new AppError('user.exists')
}
