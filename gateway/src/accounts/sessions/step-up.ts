import { timingSafeEqual } from 'node:crypto'

import { stepUpHeader, type StepUpPurpose } from '@tollgate/contract'

import type { Context } from '../../context'
import { sha256 } from '../../platform/store/seal'
import { sessionHashOf } from './session-cookie'
import { accessTokenOf } from './sessions'

/** Long enough to read a page and decide, short enough for a browser that is left open. */
const proofSeconds = 300
/** How recent the sign-in of an account without a password must be. */
const freshSeconds = 600

/** The signed-in caller of one request. */
interface SignedInRequest {
  readonly ctx: Pick<Context, 'seal' | 'clock' | 'database'>
  readonly request: Request
  readonly caller: { readonly userId: number; readonly isByAccessToken: boolean }
}

/** Resolves with the password's hash, empty for an account that has none, and how the caller is signed in. */
export async function credentialsOf({ ctx, request, caller }: SignedInRequest) {
  const { password_hash: passwordHash, access_token_hash: accessTokenHash } = await ctx.database.query
    .selectFrom('users')
    .select(['password_hash', 'access_token_hash'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  const signedInBy = caller.isByAccessToken ? sha256(accessTokenOf(request.headers)) : sessionHashOf(request)
  return { passwordHash, accessTokenHash, signedInBy }
}

type Credentials = Awaited<ReturnType<typeof credentialsOf>>

/**
 * Returns the proof for one purpose, bound to the session or access token it is made for. It ends with the password and the access token
 * of the account, so that what it was used for cannot be done twice with it.
 */
export function stepUpProof(signedIn: SignedInRequest, purpose: StepUpPurpose, credentials: Credentials) {
  const expiresAt = signedIn.ctx.clock.seconds() + proofSeconds
  return { proof: `${expiresAt}.${signature(signedIn, purpose, credentials, expiresAt)}`, expires_at: expiresAt }
}

function signature(
  { ctx, caller }: SignedInRequest,
  purpose: StepUpPurpose,
  credentials: Credentials,
  expiresAt: number,
): string {
  const { passwordHash, accessTokenHash, signedInBy } = credentials
  const parts = [purpose, caller.userId, signedInBy ?? '', accessTokenHash ?? '', sha256(passwordHash), expiresAt]
  return ctx.seal.sign('step-up', ...parts)
}

/** Returns whether the request carries a valid proof for the purpose. */
export function isProven(signedIn: SignedInRequest, purpose: StepUpPurpose, credentials: Credentials): boolean {
  const [expiry = '', presentedSignature = ''] = (signedIn.request.headers.get(stepUpHeader) ?? '').split('.')
  const expiresAt = /^\d{1,15}$/.test(expiry) ? Number(expiry) : 0
  if (expiresAt <= signedIn.ctx.clock.seconds()) return false
  const expected = Buffer.from(signature(signedIn, purpose, credentials, expiresAt))
  const bytes = Buffer.from(presentedSignature)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

/** Resolves with whether the session just began: the proof of an account without a password. */
export async function isFresh(signedIn: SignedInRequest): Promise<boolean> {
  const idHash = signedIn.caller.isByAccessToken ? null : sessionHashOf(signedIn.request)
  if (idHash === null) return false
  const session = await signedIn.ctx.database.query
    .selectFrom('sessions')
    .select('created_at')
    .where('id_hash', '=', idHash)
    .executeTakeFirst()
  return session !== undefined && signedIn.ctx.clock.seconds() - session.created_at < freshSeconds
}
