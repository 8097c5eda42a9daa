import type { RouteAnswer, selfRoutes, StepUpPurpose } from '@tollgate/contract'

import { verifyPassword } from '../../accounts/verify-password'
import { AppError } from '../../app-error'
import type { Call } from '../../http/handler'
import { credentialsOf, stepUpProof } from '../../sessions/step-up'

/**
 * Answers the proof for what needs more than a session.
 * @throws AppError `user.password_original`; `auth.sign_in_again` for an account without a password, which proves itself by signing in.
 */
export async function proveAgain(
  call: Call<'user'>,
  purpose: StepUpPurpose,
  password: string,
): Promise<RouteAnswer<typeof selfRoutes.stepUp>> {
  const { userId, username } = call.caller
  call.audit.on('user', userId, username)
  call.audit.changed({}, { purpose })
  const credentials = await credentialsOf(call)
  if (credentials.passwordHash === '') throw new AppError('auth.sign_in_again')
  if (!(await verifyPassword(password, credentials.passwordHash))) throw new AppError('user.password_original')
  return stepUpProof(call, purpose, credentials)
}
