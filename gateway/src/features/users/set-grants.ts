import { completeGrants, presetOf, role, type Grant, type userRoutes } from '@tollgate/contract'

import { AppError } from '../../app-error'
import type { Call } from '../../http/handler'
import { oneUser } from './find-users'
import { announceUser, lockUser } from './touch-user'

/**
 * Say what an account may do. In force at the account's next call, also in sessions and with access tokens that are there already.
 * @throws AppError `user.none`, `user.deregistered`, `root.grants`.
 */
export async function setGrants(
  userId: number,
  chosen: readonly Grant[],
  { ctx }: Call<'user'>,
): Promise<userRoutes.UserEntity> {
  await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    if (target.role >= role.root) throw new AppError('root.grants')
    const grants = storedText(target.role, completeGrants(chosen))
    await transaction.updateTable('users').set({ grants }).where('id', '=', userId).execute()
    await announceUser(ctx, userId, transaction)
  })
  await ctx.changes.deliver()
  return oneUser(ctx, userId)
}

/** Null for what the role does by itself, so that the account keeps up with its role. */
function storedText(userRole: number, grants: readonly Grant[]): string | null {
  const text = grants.join(',')
  return text === presetOf(userRole).join(',') ? null : text
}
