import type { factorRoutes, NewPasskeyResponse, RouteResult, RouteInput } from '@tollgate/contract'

import { factorsOf } from '../../accounts/factors/held-factors'
import { createFlow } from '../../accounts/flows/create-flow'
import { flowKinds } from '../../accounts/flows/flow-kinds'
import { takeFlow } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import type { Call } from '../../http/handler'
import { challengeIn, credentialOf } from '../../http/sign-in/passkey-proof'
import { requirePasskeySite, type PasskeySite } from '../../http/sign-in/passkey-site'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { flowHashOf } from '../../accounts/sessions/session-cookie'
import { firstRecoveryCodes } from './renew-recovery-codes'
import { randomToken } from '../../platform/random'

const maxPasskeys = 20
const userHandleBytes = 32
/** Ed25519, ES256 and RS256: https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
const algorithms = [-8, -7, -257]

/** @throws AppError `passkey.no_address`, `passkey.limit`. */
export async function beginPasskey(call: Call<'user'>): Promise<RouteResult<typeof factorRoutes.beginPasskey>> {
  const { ctx, caller } = call
  const site = requirePasskeySite(call)
  const { passkeys } = await factorsOf(ctx.database.query, caller.userId)
  if (passkeys.length >= maxPasskeys) throw new AppError('passkey.limit', { params: { count: maxPasskeys } })
  const userHandle = await userHandleOf(call)
  const challenge = await createFlow(ctx, 'add-passkey', {
    subject: String(caller.userId),
    browser: flowBrowser(call),
    payload: { userHandle },
  })
  return {
    challenge,
    rp: { id: site.rpId, name: site.name },
    user: { id: userHandle, name: caller.username, displayName: caller.username },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: flowKinds['add-passkey'].seconds * 1000,
    excludeCredentials: passkeys.map(credentialOf),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** Authenticators keep one passkey for each handle, so all of a user have the same. */
async function userHandleOf({ ctx, caller }: Call<'user'>): Promise<string> {
  const known = await ctx.database.query
    .selectFrom('passkeys')
    .select('user_handle')
    .where('user_id', '=', caller.userId)
    .where('user_handle', '!=', '')
    .executeTakeFirst()
  return known?.user_handle ?? randomToken(ctx.random, userHandleBytes)
}

/** @throws AppError `passkey.failed`, `passkey.taken`, `passkey.no_address`. */
export async function addPasskey(
  { name, answer }: RouteInput<typeof factorRoutes.addPasskey>['body'],
  call: Call<'user'>,
): Promise<RouteResult<typeof factorRoutes.addPasskey>> {
  const { ctx, caller, audit } = call
  const site = requirePasskeySite(call)
  const challenge = challengeIn(answer)
  const presented = { subject: String(caller.userId), browser: flowHashOf(call.request), secret: challenge }
  const added = await takeFlow(ctx, 'add-passkey', presented, async ({ userHandle }, transaction) => {
    const { credential, aaguid, credentialBackedUp } = await verifyPasskey(site, challenge, answer)
    const passkey = { id: credential.id, name, created_at: ctx.clock.seconds(), last_used_at: null }
    const inserted = await transaction
      .insertInto('passkeys')
      .values({
        credential_id: passkey.id,
        user_id: caller.userId,
        user_handle: userHandle,
        name,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (answer.response.transports ?? []).filter((word) => /^[a-z-]+$/.test(word)).join(','),
        aaguid,
        is_backed_up: credentialBackedUp ? 1 : 0,
        created_at: passkey.created_at,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('credential_id')
      .executeTakeFirst()
    if (!inserted) throw new AppError('passkey.taken')
    audit.target('passkey', passkey.id, name)
    await notifyOfAccountChange('factor-added', call, transaction)
    const codes = await firstRecoveryCodes(call, transaction)
    return { passkey: { ...passkey, is_backed_up: credentialBackedUp }, recovery_codes: codes }
  })
  await ctx.changes.deliver()
  return added
}

async function verifyPasskey(
  { origin, rpId }: PasskeySite,
  challenge: string,
  registrationResponse: NewPasskeyResponse,
) {
  // Loaded only where passkeys are in use.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const { id, rawId, type, response } = registrationResponse
  const { clientDataJSON, attestationObject } = response
  try {
    // None is asked for, and browsers send none then. Others bring certificates, which take long to check.
    if (decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('fmt') !== 'none')
      throw new TypeError('An attestation was not asked for')
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo) return registrationInfo
  } catch (cause) {
    throw new AppError('passkey.failed', { cause, logMessage: String(cause) })
  }
  throw new AppError('passkey.failed')
}
