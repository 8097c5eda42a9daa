import type { FactorProof, RouteResult, RouteInput, accountRoutes, StepUpPurpose } from '@tollgate/contract'

import { takeFlow } from '../../accounts/flows/take-flow'
import { verifyPassword } from '../../accounts/users/passwords'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { challengeIn, stepUpSubject } from '../../http/sign-in/passkey-proof'
import { limitCodes, proveFactor } from '../../http/sign-in/prove-factor'
import { flowHashOf } from '../../accounts/sessions/session-cookie'
import { credentialsOf, stepUpProof } from '../../accounts/sessions/step-up'

/**
 * Returns the proof for what requires more than a session, given the password or a second factor.
 * @throws AppError `user.password_original`, `factor.wrong`, `passkey.failed`, `rate.limited`; `auth.sign_in_again` for an account without
 * a password, which proves itself by signing in.
 */
export async function proveAgain(
  { purpose, password, factor }: RouteInput<typeof accountRoutes.stepUp>['body'],
  call: Call<'user'>,
): Promise<RouteResult<typeof accountRoutes.stepUp>> {
  const { userId, username } = call.caller
  call.audit.target('user', userId, username)
  call.audit.recordChange({}, { purpose, ...(factor && { factor: factor.kind }) })
  const credentials = await credentialsOf(call)
  if (factor) await proveByFactor(purpose, factor, call)
  else if (credentials.passwordHash === '') throw new AppError('auth.sign_in_again')
  else if (!(await verifyPassword(password ?? '', credentials.passwordHash)))
    throw new AppError('user.password_original')
  return stepUpProof(call, purpose, credentials)
}

async function proveByFactor(purpose: StepUpPurpose, proof: FactorProof, call: Call<'user'>): Promise<void> {
  const { ctx, caller } = call
  const challenge = proof.kind === 'passkey' ? challengeIn(proof.answer) : ''
  const proving = { userId: caller.userId, proof, challenge }
  if (proof.kind !== 'passkey') {
    const { query } = ctx.database
    await limitCodes(call, proving, () =>
      query.transaction().execute((transaction) => proveFactor(call, proving, transaction)),
    )
    return
  }
  const subject = stepUpSubject(caller.userId, purpose)
  const presented = { subject, browser: flowHashOf(call.request), secret: challenge }
  await takeFlow(ctx, 'passkey-step-up', presented, (_payload, transaction) => proveFactor(call, proving, transaction))
}
