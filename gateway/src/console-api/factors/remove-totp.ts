import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import { refuseLastFactor } from './refuse-last-factor'

/** @throws AppError `factor.none`, `factor.required`. */
export async function removeTotp(call: Call<'user'>): Promise<undefined> {
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
