import { userStatus, type RouteResult, type sessionRoutes } from '@tollgate/contract'

import { identityOwner } from '../../accounts/identities/identities'
import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { signInUser } from '../../http/sign-in/sign-in-user'
import type { ExternalAccount } from './external-account'
import { signUp } from './sign-up'

/**
 * Signs in the owner of the account, or registers a new user if registration is open.
 * @throws AppError `user.deregistered`, `user.banned`, and what registering throws.
 */
export async function letIn(
  account: ExternalAccount,
  invitation: string,
  call: Call<'guest'> | Call<'optional'>,
  returnTo: string | null = null,
): Promise<RouteResult<typeof sessionRoutes.logIn>> {
  const { ctx, audit } = call
  const user = (await identityOwner(ctx.database.query, account)) ?? (await signUp(account, invitation, call))
  audit.by({ userId: user.id, username: user.username, role: standingOf(user).rank })
  if (user.deleted_at !== null) throw new AppError('user.deregistered')
  if (user.status !== userStatus.enabled) throw new AppError('user.banned')
  return signInUser(user.id, call, returnTo)
}
