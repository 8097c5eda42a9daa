import type { factorRoutes } from '@tollgate/contract'

import { factorsOf, kindsOf } from '../../accounts/factors/factors-of'
import { isFactorRequired } from '../../accounts/factors/required-factor'
import type { Call } from '../../http/handler'
import { passkeySiteOf } from '../../http/sign-in/passkey-site'
import { passkeysOf } from './passkeys'

export async function getFactors(call: Call<'user'>): Promise<factorRoutes.Factors> {
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
