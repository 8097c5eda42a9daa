import type { PasskeyResponse, PasskeyRequest, StepUpPurpose } from '@tollgate/contract'

import type { HeldFactors } from '../../accounts/factors/held-factors'
import { flowKinds } from '../../accounts/flows/flow-kinds'
import { AppError } from '../../platform/app-error'
import type { Transaction } from '../../platform/store/database'
import type { Call } from '../handler'
import { requirePasskeySite, type PasskeySite } from './passkey-site'

/** Returns the options with which a browser is asked for a passkey. */
export const passkeyRequest = (
  challenge: string,
  { rpId }: PasskeySite,
  passkeys: HeldFactors['passkeys'],
): PasskeyRequest => ({
  challenge,
  rpId,
  timeout: flowKinds['passkey-sign-in'].seconds * 1000,
  userVerification: 'required',
  allowCredentials: passkeys.map(credentialOf),
})

export const credentialOf = ({ id, transports }: HeldFactors['passkeys'][number]) => ({
  id,
  type: 'public-key' as const,
  ...(transports !== '' && { transports: transports.split(',') }),
})

/** Returns the subject of a step-up challenge: it is for one purpose of one user. */
export const stepUpSubject = (userId: number, purpose: StepUpPurpose): string => `${userId} ${purpose}`

/** Returns the challenge that a response claims to answer; the flow that is consumed with it compares it. */
export function challengeIn({ response }: { readonly response: { readonly clientDataJSON: string } }): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    const challenge: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'challenge') : undefined
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/**
 * Checks a passkey's response to a challenge and counts its use. Resolves with its owner.
 * @throws AppError `passkey.failed`, `passkey.no_address`.
 */
export async function takePasskey(
  call: Pick<Call, 'ctx' | 'request' | 'isSecure'>,
  { challenge, passkeyResponse }: { readonly challenge: string; readonly passkeyResponse: PasskeyResponse },
  transaction: Transaction,
): Promise<number> {
  const site = requirePasskeySite(call)
  const passkey = await transaction
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', passkeyResponse.id)
    .executeTakeFirst()
  const { userHandle } = passkeyResponse.response
  if (!passkey || !isHandleOf(passkey, userHandle)) throw new AppError('passkey.failed')
  const { newCounter, credentialBackedUp } = await verifyPasskey(site, { challenge, passkeyResponse, passkey })
  const used = await transaction
    .updateTable('passkeys')
    .set({
      counter: newCounter,
      is_backed_up: credentialBackedUp ? 1 : 0,
      last_used_at: call.ctx.clock.seconds(),
      user_handle: passkey.user_handle || (userHandle ?? ''),
    })
    .where('credential_id', '=', passkey.credential_id)
    // A copy of the authenticator would continue from the original's count.
    .where((eb) => (newCounter === 0 ? eb('counter', '=', 0) : eb('counter', '<', newCounter)))
    .returning('user_id')
    .executeTakeFirst()
  if (!used) throw new AppError('passkey.failed')
  return used.user_id
}

/** The handle of an imported passkey is not known before its first use. */
const isHandleOf = ({ user_handle: known }: { readonly user_handle: string }, presented: string | undefined): boolean =>
  presented === undefined || known === '' || presented === known

interface PasskeyVerification {
  readonly challenge: string
  readonly passkeyResponse: PasskeyResponse
  readonly passkey: { readonly credential_id: string; readonly public_key: string; readonly counter: number }
}

async function verifyPasskey(
  { origin, rpId }: PasskeySite,
  { challenge, passkeyResponse, passkey }: PasskeyVerification,
) {
  // Loaded only where passkeys are in use.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, rawId, type, response } = passkeyResponse
  try {
    const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    })
    if (isRight) return authenticationInfo
  } catch (cause) {
    throw new AppError('passkey.failed', { cause, logMessage: String(cause) })
  }
  throw new AppError('passkey.failed')
}
