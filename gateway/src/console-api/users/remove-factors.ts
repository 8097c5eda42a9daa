import { removeFactors } from '../../accounts/factors/remove-factors'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { logUserAct } from './log-user-act'
import { mailUser } from './mail-user'
import { refuseOutOfReach } from './rank'
import { lockUser } from './touch-user'

/**
 * Removes the second factors of a user who can no longer sign in with them.
 * @throws AppError `user.none`, `user.deregistered`, `user.rank_edit`, `factor.none`.
 */
export async function removeUserFactors(userId: number, reason: string, call: Call<'user'>): Promise<undefined> {
  const { ctx, caller, audit } = call
  const { username } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    audit.target('user', userId, target.username)
    refuseOutOfReach(caller, target, 'user.rank_edit')
    if (!(await removeFactors(userId, transaction))) throw new AppError('factor.none')
    await mailUser('factors-removed-by-admin', userId, call, transaction)
    return target
  })
  await ctx.changes.deliver()
  audit.changed({ second_factors: 'set' }, { second_factors: 'none', reason })
  logUserAct('remove_factors', { id: userId, username, reason }, call)
}
