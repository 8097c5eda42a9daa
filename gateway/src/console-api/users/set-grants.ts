import { completeGrants, presetOf, role, type Grant, type userRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { oneUser } from './find-users'
import { announceUser, lockUser } from './touch-user'

/**
 * Sets the grants of an account. In force at the account's next call, also in existing sessions and with existing access tokens.
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

/** Null for the grants of the role itself, so that the account keeps up with its role. */
function storedText(userRole: number, grants: readonly Grant[]): string | null {
  const text = grants.join(',')
  return text === presetOf(userRole).join(',') ? null : text
}
