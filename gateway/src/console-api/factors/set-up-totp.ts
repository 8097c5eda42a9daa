import type { factorRoutes, RouteResult, RouteInput } from '@tollgate/contract'

import { base32, keepTotp, sealedTotpSecret, totpSecretBytes, totpUri } from '../../accounts/factors/totp'
import { createFlow } from '../../accounts/flows/create-flow'
import { takeFlow } from '../../accounts/flows/take-flow'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import type { Call } from '../../http/handler'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { flowHashOf } from '../../accounts/sessions/session-cookie'
import { firstRecoveryCodes } from './renew-recovery-codes'

export async function beginTotp(call: Call<'user'>): Promise<RouteResult<typeof factorRoutes.beginTotp>> {
  const { ctx, caller } = call
  const secret = ctx.random.bytes(totpSecretBytes)
  const token = await createFlow(ctx, 'set-up-totp', {
    subject: String(caller.userId),
    browser: flowBrowser(call),
    payload: { secret: sealedTotpSecret(ctx, caller.userId, secret) },
  })
  const uri = totpUri(secret, { issuer: ctx.catalog.current.options.SystemName, account: caller.username })
  return { token, secret: base32(secret), uri }
}

/** @throws AppError `factor.wrong`; the same secret can be tried again. */
export async function confirmTotp(
  { token, code }: RouteInput<typeof factorRoutes.confirmTotp>['body'],
  call: Call<'user'>,
): Promise<RouteResult<typeof factorRoutes.confirmTotp>> {
  const { ctx, caller, audit } = call
  audit.target('user', caller.userId, caller.username)
  const presented = { subject: String(caller.userId), browser: flowHashOf(call.request), secret: token }
  const codes = await takeFlow(ctx, 'set-up-totp', presented, async ({ secret }, transaction) => {
    if (!(await keepTotp(ctx, caller.userId, { sealed: secret, code }, transaction))) throw new AppError('factor.wrong')
    await notifyOfAccountChange('factor-added', call, transaction)
    return firstRecoveryCodes(call, transaction)
  })
  await ctx.changes.deliver()
  return { recovery_codes: codes }
}
