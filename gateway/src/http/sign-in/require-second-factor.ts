import type { SecondFactorRequest } from '@tollgate/contract'

import { factorsOf, hasFactor, kindsOf } from '../../accounts/factors/factors-of'
import { createFlow } from '../../accounts/flows/create-flow'
import { flowKinds } from '../../accounts/flows/flow-kinds'
import { AppError } from '../../platform/app-error'
import { sha256 } from '../../platform/store/seal'
import { flowBrowser } from './flow-browser'
import type { Call } from '../handler'
import { passkeyRequest } from './passkey-proof'
import { passkeySiteOf } from './passkey-site'

type SigningInCall = Pick<Call, 'ctx' | 'request' | 'isSecure' | 'responseHeaders'>

/**
 * Refuses a sign-in for now if the user has a second factor: the refusal carries what is needed to complete it, and where it was to lead.
 * @throws AppError `login.second_factor`.
 */
export async function requireSecondFactor(userId: number, call: SigningInCall, returnTo: string | null): Promise<void> {
  const { ctx } = call
  const held = await factorsOf(ctx.database.query, userId)
  if (!hasFactor(held)) return
  const token = await createFlow(ctx, 'second-factor', {
    subject: '',
    browser: flowBrowser(call),
    payload: { userId, password: await passwordDigest(call, userId) },
  })
  const site = held.passkeys.length > 0 ? passkeySiteOf(call) : null
  const details: SecondFactorRequest = {
    token,
    expires_at: ctx.clock.seconds() + flowKinds['second-factor'].seconds,
    factors: kindsOf(held),
    ...(returnTo !== null && { return_to: returnTo }),
    ...(site && { passkey: passkeyRequest(token, site, held.passkeys) }),
  }
  throw new AppError('login.second_factor', { envelopeFields: { second_factor: details } })
}

/** Resolves with a digest that changes with the password; empty for an account that is closed or gone. */
export async function passwordDigest({ ctx }: Pick<Call, 'ctx'>, userId: number): Promise<string> {
  const user = await ctx.database.query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user ? sha256(`password:${user.password_hash}`) : ''
}
