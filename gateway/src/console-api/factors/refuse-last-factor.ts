import { isFactorRequired, ownsFactor } from '../../accounts/factors/held-factors'
import { lockUserRow } from '../../accounts/users/lock-user-row'
import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'

/**
 * Called after a factor was removed: rolls back if the caller needs one and has none left. Recovery codes end with the last factor.
 * @throws AppError `factor.required`.
 */
export async function refuseLastFactor({ ctx, caller }: Call<'user'>, transaction: Transaction): Promise<void> {
  // So that of two simultaneous removals the second sees the first.
  await lockUserRow(transaction, caller.userId)
  if (await ownsFactor(transaction, caller.userId)) return
  if (isFactorRequired(caller.role, ctx.catalog.current.options)) throw new AppError('factor.required')
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', caller.userId).execute()
}
