import type { factorRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { requireOtherSignInMethod } from '../../http/sign-in/require-other-sign-in-method'
import { notifyOfAccountChange } from '../../http/notify-of-account-change'
import type { Queries, Transaction } from '../../platform/store/database'
import { refuseLastFactor } from './refuse-last-factor'

export async function passkeysOf(query: Queries | Transaction, userId: number): Promise<factorRoutes.PasskeyEntity[]> {
  const rows = await query
    .selectFrom('passkeys')
    .select(['credential_id as id', 'name', 'created_at', 'last_used_at', 'is_backed_up'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute()
  return rows.map((row) => ({ ...row, is_backed_up: row.is_backed_up === 1 }))
}

/** @throws AppError `passkey.none`. */
export async function renamePasskey(
  id: string,
  name: string,
  { ctx, caller, audit }: Call<'user'>,
): Promise<undefined> {
  audit.target('passkey', id, name)
  const renamed = await ctx.database.query
    .updateTable('passkeys')
    .set({ name })
    .where('credential_id', '=', id)
    .where('user_id', '=', caller.userId)
    .returning('name')
    .executeTakeFirst()
  if (!renamed) throw new AppError('passkey.none')
}

/** @throws AppError `passkey.none`, `factor.required`, `oauth.last`. */
export async function removePasskey(id: string, call: Call<'user'>): Promise<undefined> {
  const { ctx, caller, audit } = call
  await ctx.database.query.transaction().execute(async (transaction) => {
    const removed = await transaction
      .deleteFrom('passkeys')
      .where('credential_id', '=', id)
      .where('user_id', '=', caller.userId)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw new AppError('passkey.none')
    audit.target('passkey', id, removed.name)
    await refuseLastFactor(call, transaction)
    await requireOtherSignInMethod(ctx, caller.userId, transaction)
    await notifyOfAccountChange('factor-removed', call, transaction)
  })
  await ctx.changes.deliver()
}
