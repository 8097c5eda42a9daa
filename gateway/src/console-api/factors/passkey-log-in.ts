import {
  userStatus,
  type PasskeyResponse,
  type PasskeyRequest,
  type factorRoutes,
  type RouteResult,
} from '@tollgate/contract'

import { createFlow } from '../../accounts/flows/create-flow'
import { takeFlow } from '../../accounts/flows/take-flow'
import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import type { Call } from '../../http/handler'
import { challengeIn, passkeyRequest, takePasskey } from '../../http/sign-in/passkey-proof'
import { requirePasskeySite } from '../../http/sign-in/passkey-site'
import { beginSession } from '../../http/sign-in/sign-in-user'
import { flowHashOf } from '../../accounts/sessions/session-cookie'

/** @throws AppError `passkey.no_address`. */
export async function beginPasskeyLogIn(call: Call<'guest'>): Promise<PasskeyRequest> {
  const site = requirePasskeySite(call)
  const challenge = await createFlow(call.ctx, 'passkey-sign-in', {
    subject: '',
    browser: flowBrowser(call),
    payload: {},
  })
  return passkeyRequest(challenge, site, [])
}

/**
 * Signs in without a user name. The authenticator checked a finger, face or PIN, so no other factor is required.
 * @throws AppError `passkey.failed`, `passkey.no_address`.
 */
export async function passkeyLogIn(
  assertion: PasskeyResponse,
  call: Call<'guest'>,
): Promise<RouteResult<typeof factorRoutes.passkeyLogIn>> {
  const { ctx, audit } = call
  const challenge = challengeIn(assertion)
  const presented = { subject: '', browser: flowHashOf(call.request), secret: challenge }
  const user = await takeFlow(ctx, 'passkey-sign-in', presented, async (_payload, transaction) => {
    const userId = await takePasskey(call, { challenge, passkeyResponse: assertion }, transaction)
    const owner = await transaction
      .selectFrom('users')
      .select(['id', 'username', 'role', 'grants', 'status', 'deleted_at'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!owner || owner.deleted_at !== null || owner.status !== userStatus.enabled) throw new AppError('passkey.failed')
    return owner
  })
  audit.by({ userId: user.id, username: user.username, role: standingOf(user).rank })
  audit.recordChange({}, { factor: 'passkey' })
  return beginSession(user.id, call)
}
