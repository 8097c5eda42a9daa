import type { RouteInput, selfRoutes } from '@tollgate/contract'

import { checkedDisplayName, checkedUsername, hashedPassword, usernameKey } from '../../accounts/credentials'
import { refuseTakenName } from '../../accounts/taken-name'
import { verifyPassword } from '../../accounts/verify-password'
import { AppError } from '../../app-error'
import type { Call } from '../../http/handler'
import { sessionHashOf } from '../../sessions/session-cookie'
import { endSessions } from '../../sessions/sessions'

type Body = RouteInput<typeof selfRoutes.updateSelf>['body']

/**
 * Change what is not empty. A new password ends every other way in.
 * @throws AppError `user.username`, `user.exists`, `user.password`, `user.password_original`.
 */
export async function updateSelf(body: Body, call: Call<'user'>): Promise<void> {
  const { ctx, caller } = call
  const changes = changesOf(body, caller.username)
  const passwordHash = body.password ? await newPasswordHash(body.password, body.original_password, call) : undefined
  if (Object.keys(changes).length === 0 && passwordHash === undefined) return
  await ctx.database.query.transaction().execute(async (transaction) => {
    if (changes.username !== undefined) await refuseTakenName(changes.username, caller.userId, transaction)
    await transaction
      .updateTable('users')
      .set({ ...changes, ...(passwordHash && { password_hash: passwordHash }) })
      .where('id', '=', caller.userId)
      .execute()
    if (passwordHash) await endSessions(caller.userId, transaction, ownSession(call))
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

/** A browser left open must not be enough to take an account over. */
async function newPasswordHash(password: string, original: string | undefined, { ctx, caller }: Call<'user'>) {
  if (!caller.isByAccessToken) {
    const { password_hash: hash } = await ctx.database.query
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    // an account that signs in through others has none to show
    const isRight = hash === '' || (await verifyPassword(original ?? '', hash))
    if (!isRight) throw new AppError('user.password_original')
  }
  return hashedPassword(password)
}

const ownSession = ({ caller, request }: Call<'user'>) =>
  caller.isByAccessToken ? undefined : (sessionHashOf(request) ?? undefined)
