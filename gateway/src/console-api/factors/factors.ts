import { factorRoutes, type PasskeyRequest, type StepUpPurpose } from '@tollgate/contract'

import { handler, type Handler, type Call } from '../../http/handler'
import { addPasskey, beginPasskey } from './add-passkey'
import { completeLogIn } from './complete-log-in'
import { beginPasskeyLogIn, passkeyLogIn } from './passkey-log-in'
import { removePasskey, renamePasskey, passkeysOf } from './passkeys'
import { renewRecoveryCodes } from './renew-recovery-codes'
import { beginTotp, confirmTotp } from './set-up-totp'
import { factorsOf, isFactorRequired, kindsOf } from '../../accounts/factors/held-factors'
import { passkeySiteOf, requirePasskeySite } from '../../http/sign-in/passkey-site'
import { createFlow } from '../../accounts/flows/create-flow'
import { AppError } from '../../platform/app-error'
import { flowBrowser } from '../../http/sign-in/flow-browser'
import { passkeyRequest, stepUpSubject } from '../../http/sign-in/passkey-proof'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { refuseLastFactor } from './refuse-last-factor'

export const factorHandlers: readonly Handler[] = [
  handler(factorRoutes.completeLogIn, ({ body }, call) => completeLogIn(body, call)),
  handler(factorRoutes.beginPasskeyLogIn, (_input, call) => beginPasskeyLogIn(call)),
  handler(factorRoutes.passkeyLogIn, ({ body }, call) => passkeyLogIn(body.answer, call)),
  handler(factorRoutes.beginPasskeyStepUp, ({ body }, call) => beginPasskeyStepUp(body.purpose, call)),
  handler(factorRoutes.getFactors, (_input, call) => getFactors(call)),
  handler(factorRoutes.beginTotp, (_input, call) => beginTotp(call)),
  handler(factorRoutes.confirmTotp, ({ body }, call) => confirmTotp(body, call)),
  handler(factorRoutes.removeTotp, (_input, call) => removeTotp(call)),
  handler(factorRoutes.renewRecoveryCodes, (_input, call) => renewRecoveryCodes(call)),
  handler(factorRoutes.beginPasskey, (_input, call) => beginPasskey(call)),
  handler(factorRoutes.addPasskey, ({ body }, call) => addPasskey(body, call)),
  handler(factorRoutes.renamePasskey, ({ params, body }, call) => renamePasskey(params.id, body.name, call)),
  handler(factorRoutes.removePasskey, ({ params }, call) => removePasskey(params.id, call)),
]

async function getFactors(call: Call<'user'>): Promise<factorRoutes.Factors> {
  const { ctx, caller } = call
  const { query } = ctx.database
  const held = await factorsOf(query, caller.userId)
  const { password_hash: passwordHash } = await query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  return {
    totp_since: held.totpSince,
    recovery_codes: held.recoveryCodes,
    passkeys: await passkeysOf(query, caller.userId),
    is_required: isFactorRequired(caller.role, ctx.catalog.current.options),
    has_password: passwordHash !== '',
    can_use_passkeys: passkeySiteOf(call) !== null,
    factors: kindsOf(held),
  }
}

/** @throws AppError `factor.none`, `passkey.no_address`. */
async function beginPasskeyStepUp(purpose: StepUpPurpose, call: Call<'user'>): Promise<PasskeyRequest> {
  const { ctx, caller } = call
  const { passkeys } = await factorsOf(ctx.database.query, caller.userId)
  if (passkeys.length === 0) throw new AppError('factor.none')
  const site = requirePasskeySite(call)
  const subject = stepUpSubject(caller.userId, purpose)
  const challenge = await createFlow(ctx, 'passkey-step-up', { subject, browser: flowBrowser(call), payload: {} })
  return passkeyRequest(challenge, site, passkeys)
}

/** @throws AppError `factor.none`, `factor.required`. */
async function removeTotp(call: Call<'user'>): Promise<undefined> {
  const { ctx, caller, audit } = call
  audit.target('user', caller.userId, caller.username)
  await ctx.database.query.transaction().execute(async (transaction) => {
    const removed = await transaction
      .deleteFrom('totp_factors')
      .where('user_id', '=', caller.userId)
      .returning('user_id')
      .executeTakeFirst()
    if (!removed) throw new AppError('factor.none')
    await refuseLastFactor(call, transaction)
    await notifyOfAccountChange('factor-removed', call, transaction)
  })
  await ctx.changes.deliver()
}
