import type { RouteInput, accountRoutes } from '@tollgate/contract'

import { checkedDisplayName, checkedUsername, refuseTakenName, usernameKey } from '../../accounts/users/usernames'
import { hashedPassword } from '../../accounts/users/passwords'
import type { Call } from '../../http/handler'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { sessionHashOf } from '../../accounts/sessions/session-cookie'
import { endSessions } from '../../accounts/sessions/sessions'

type Body = RouteInput<typeof accountRoutes.updateSelf>['body']

/** Changes what is not empty. A new password ends every other access. @throws AppError `user.username`, `user.exists`, `user.password`. */
export async function updateSelf(body: Body, call: Call<'user'>): Promise<void> {
  const { ctx, caller } = call
  const changes = changesOf(body, caller.username)
  const passwordHash = body.password ? await hashedPassword(body.password) : undefined
  if (Object.keys(changes).length === 0 && passwordHash === undefined) return
  await ctx.database.query.transaction().execute(async (transaction) => {
    if (changes.username !== undefined) await refuseTakenName(changes.username, caller.userId, transaction)
    await transaction
      .updateTable('users')
      .set({ ...changes, ...(passwordHash && { password_hash: passwordHash }) })
      .where('id', '=', caller.userId)
      .execute()
    if (passwordHash) {
      await endSessions(caller.userId, transaction, ownSession(call))
      await notifyOfAccountChange('password-changed', call, transaction)
    }
    await ctx.changes.announce({ topic: 'user', refId: caller.userId }, transaction)
  })
  await ctx.changes.deliver()
}

function changesOf(body: Body, presentName: string) {
  const username = body.username ? checkedUsername(body.username) : undefined
  return {
    ...(username !== undefined && { username, username_key: usernameKey(username) }),
    ...(body.display_name && { display_name: checkedDisplayName(body.display_name, username ?? presentName) }),
  }
}

const ownSession = ({ caller, request }: Call<'user'>) =>
  caller.isByAccessToken ? undefined : (sessionHashOf(request) ?? undefined)
