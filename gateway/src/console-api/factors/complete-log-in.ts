import { userStatus, type factorRoutes, type RouteResult, type RouteInput } from '@tollgate/contract'

import { standingOf } from '../../accounts/users/standing'
import { readFlow, takeFlow } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { limitCodes, proveFactor } from '../../http/sign-in/prove-factor'
import { beginSession, passwordDigest } from '../../http/sign-in/sign-in-user'
import { flowHashOf } from '../../accounts/sessions/session-cookie'

type Body = RouteInput<typeof factorRoutes.completeLogIn>['body']

/**
 * Completes a sign-in. A wrong code leaves it unchanged, to be retried until it expires.
 * @throws AppError `login.expired`, `factor.wrong`, `passkey.failed`, `passkey.no_address`, `rate.limited`.
 */
export async function completeLogIn(
  { token, proof }: Body,
  call: Call<'guest'>,
): Promise<RouteResult<typeof factorRoutes.completeLogIn>> {
  const { ctx, audit } = call
  const presented = { subject: '', browser: flowHashOf(call.request), secret: token }
  const { userId, password } = await readFlow(ctx, 'second-factor', presented)
  const user = await ctx.database.query
    .selectFrom('users')
    .select(['id', 'username', 'role', 'grants', 'status'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const isSame = (await passwordDigest(call, userId)) === password
  if (!user || !isSame || user.status !== userStatus.enabled) throw new AppError('login.expired')
  audit.by({ userId, username: user.username, role: standingOf(user).rank })
  audit.recordChange({}, { factor: proof.kind })
  await limitCodes(call, { userId, proof }, () =>
    takeFlow(ctx, 'second-factor', presented, (_payload, transaction) =>
      proveFactor(call, { userId, proof, challenge: token }, transaction),
    ),
  )
  return beginSession(userId, call)
}
