import type { PasskeyRequest, StepUpPurpose } from '@tollgate/contract'

import { factorsOf } from '../../accounts/factors/factors-of'
import { createFlow } from '../../accounts/flows/create-flow'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import type { Call } from '../../http/handler'
import { passkeyRequest, stepUpSubject } from '../../http/sign-in/passkey-proof'
import { requirePasskeySite } from '../../http/sign-in/passkey-site'

/** @throws AppError `factor.none`, `passkey.no_address`. */
export async function beginPasskeyStepUp(purpose: StepUpPurpose, call: Call<'user'>): Promise<PasskeyRequest> {
  const { ctx, caller } = call
  const { passkeys } = await factorsOf(ctx.database.query, caller.userId)
  if (passkeys.length === 0) throw new AppError('factor.none')
  const site = requirePasskeySite(call)
  const subject = stepUpSubject(caller.userId, purpose)
  const challenge = await createFlow(ctx, 'passkey-step-up', { subject, browser: flowBrowser(call), payload: {} })
  return passkeyRequest(challenge, site, passkeys)
}
