import type { Call } from '../../http/handler'
import { requireProof } from '../../http/sign-in/require-step-up'

/**
 * Requires of an access token that is not narrowed what creating access tokens requires: a new key spends its owner's balance. A narrowed
 * one was given the scope for it, and is refused by the route without.
 * @throws AppError `auth.step_up`, `auth.sign_in_again`.
 */
export async function requireMint(call: Call<'user'>): Promise<void> {
  const { isByAccessToken, scopes } = call.caller
  if (isByAccessToken && scopes === null) await requireProof(call, 'access_token')
}
