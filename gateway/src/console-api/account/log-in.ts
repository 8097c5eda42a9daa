import { userStatus, type RouteResult, type RouteInput, type sessionRoutes } from '@tollgate/contract'

import { hashPassword, isOutdatedHash, passwordHashing, verifyPassword } from '../../accounts/users/passwords'
import { isAccount } from '../../accounts/sessions/known-devices'
import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { signInUser } from '../../http/sign-in/sign-in-user'

type Body = RouteInput<typeof sessionRoutes.logIn>['body']

/**
 * Signs in. The reason for a refusal is not revealed, and each takes the same time: unknown, wrong, banned.
 * @throws AppError `login.password_off`, `login.empty`, `login.failed`, `login.second_factor`.
 */
export async function logIn(body: Body, call: Call<'guest'>): Promise<RouteResult<typeof sessionRoutes.logIn>> {
  const { ctx } = call
  if (!ctx.catalog.current.options.PasswordLoginEnabled) throw new AppError('login.password_off')
  const name = body.username.trim()
  if (name === '' || body.password === '') throw new AppError('login.empty')
  const user = await findUser(ctx, name)
  // An unknown name may be a password typed into the wrong field.
  if (user) call.audit.by({ userId: user.id, username: user.username, role: standingOf(user).rank })
  const isRight = await verifyPassword(body.password, user?.password_hash)
  if (!user || !isRight || user.status !== userStatus.enabled) throw new AppError('login.failed')
  if (isOutdatedHash(user.password_hash)) await renewHash(ctx, user, body.password)
  return signInUser(user.id, call)
}

async function findUser({ database }: Context, name: string) {
  return database.query
    .selectFrom('users')
    .select(['id', 'username', 'role', 'grants', 'status', 'password_hash'])
    .where(isAccount(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Unless the password was changed meanwhile. */
async function renewHash({ database }: Context, user: { id: number; password_hash: string }, password: string) {
  await database.query
    .updateTable('users')
    .set({ password_hash: await hashPassword(password, passwordHashing) })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .execute()
}
