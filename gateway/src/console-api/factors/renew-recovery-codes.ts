import { newRecoveryCodes } from '../../accounts/factors/recovery-codes'
import { ownsFactor } from '../../accounts/factors/held-factors'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import type { Transaction } from '../../platform/store/database'

/** @throws AppError `factor.none`: without another factor a sign-in asks for no recovery code. */
export async function renewRecoveryCodes(call: Call<'user'>): Promise<string[]> {
  const { ctx, caller, audit } = call
  audit.target('user', caller.userId, caller.username)
  const codes = await ctx.database.query.transaction().execute(async (transaction) => {
    if (!(await ownsFactor(transaction, caller.userId))) throw new AppError('factor.none')
    await notifyOfAccountChange('recovery-codes-renewed', call, transaction)
    return newRecoveryCodes(ctx, caller.userId, transaction)
  })
  await ctx.changes.deliver()
  return codes
}

/** Creates the codes for a first factor; null where the caller has some. */
export async function firstRecoveryCodes(
  { ctx, caller }: Call<'user'>,
  transaction: Transaction,
): Promise<string[] | null> {
  const left = await transaction
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', caller.userId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return left ? null : newRecoveryCodes(ctx, caller.userId, transaction)
}
