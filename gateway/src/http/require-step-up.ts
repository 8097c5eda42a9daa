import type { Route } from '@tollgate/contract'

import { verifyPassword } from '../accounts/verify-password'
import { AppError } from '../app-error'
import type { Limiter } from '../limits/limiter'
import { credentialsOf, isFresh, isProven } from '../sessions/step-up'
import type { Call, Caller } from './handler'
import { limitGuesses } from './request-limits'

type SignedInCall = Omit<Call, 'caller'> & { readonly caller: Caller }

/**
 * Asks whoever is signed in to prove it again, where the route wants that: by the proof in the header, by the password where the body
 * has a place for it, or by a fresh sign-in where the account has no password. A session or access token alone, which may be stolen,
 * is not enough.
 * @throws AppError `auth.step_up`, `auth.sign_in_again`, `user.password_original`, `rate.limited`.
 */
export async function requireStepUp(
  { stepUp }: Route,
  body: unknown,
  call: SignedInCall,
  limiter: Limiter,
): Promise<void> {
  if (!stepUp || (stepUp.whenGiven !== undefined && textIn(body, stepUp.whenGiven) === '')) return
  const credentials = await credentialsOf(call)
  if (credentials.passwordHash === '') {
    if (await isFresh(call)) return
    throw new AppError('auth.sign_in_again')
  }
  if (isProven(call, stepUp.purpose, credentials)) return
  const password = stepUp.password === undefined ? '' : textIn(body, stepUp.password)
  if (password === '') throw new AppError('auth.step_up')
  await limitGuesses(limiter, call.caller.userId)
  if (!(await verifyPassword(password, credentials.passwordHash))) throw new AppError('user.password_original')
}

function textIn(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : ''
}
