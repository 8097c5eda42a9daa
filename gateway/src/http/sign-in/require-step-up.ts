import type { Route, StepUpPurpose } from '@tollgate/contract'

import { ownsFactor } from '../../accounts/factors/held-factors'
import { verifyPassword } from '../../accounts/users/passwords'
import { AppError } from '../../platform/app-error'
import type { Limiter } from '../limits/limiter'
import { credentialsOf, isFresh, isProven } from '../../accounts/sessions/step-up'
import type { Call, Caller } from '../handler'
import { limitGuesses } from '../request/request-limits'

type SignedInCall = Omit<Call, 'caller'> & { readonly caller: Caller }

/**
 * Requires a signed-in caller to prove their identity again, where the route wants that: by the proof in the header, by the password where
 * the body has a field for it, or by a fresh sign-in where the account has no password. A session or access token alone, which may be
 * stolen, is not enough.
 * @throws AppError `auth.step_up`, `auth.sign_in_again`, `user.password_original`, `rate.limited`.
 */
export async function requireStepUp(
  { stepUp }: Route,
  body: unknown,
  call: SignedInCall,
  limiter: Limiter,
): Promise<void> {
  if (!stepUp || stepUp.isUpToHandler || (stepUp.whenGiven !== undefined && textIn(body, stepUp.whenGiven) === ''))
    return
  const password = stepUp.password === undefined ? '' : textIn(body, stepUp.password)
  if (password === '') return requireProof(call, stepUp.purpose)
  const credentials = await credentialsOf(call)
  if (await hasProof(call, stepUp.purpose, credentials)) return
  await limitGuesses({ limiter, options: call.ctx.catalog.current.options }, call.caller.userId)
  if (!(await verifyPassword(password, credentials.passwordHash))) throw new AppError('user.password_original')
}

/**
 * Requires the proof in the header, or a fresh sign-in if the account has no password. For handlers that decide themselves whether a proof
 * is needed.
 * @throws AppError `auth.step_up`, `auth.sign_in_again`.
 */
export async function requireProof(call: SignedInCall, purpose: StepUpPurpose): Promise<void> {
  if (!(await hasProof(call, purpose, await credentialsOf(call)))) throw new AppError('auth.step_up')
}

/** @throws AppError `auth.sign_in_again` where nothing else can prove it. */
async function hasProof(call: SignedInCall, purpose: StepUpPurpose, credentials: Credentials): Promise<boolean> {
  if (isProven(call, purpose, credentials)) return true
  if (credentials.passwordHash !== '') return false
  if (await isFresh(call)) return true
  if (await ownsFactor(call.ctx.database.query, call.caller.userId)) return false
  throw new AppError('auth.sign_in_again')
}

type Credentials = Awaited<ReturnType<typeof credentialsOf>>

function textIn(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : ''
}
