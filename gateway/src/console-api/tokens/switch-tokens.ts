import { tokenStatus, type RouteInput, type tokenRoutes } from '@tollgate/contract'

import type { Call } from '../../http/handler'
import { changeableUsers } from '../../accounts/users/known-users'

type Body = RouteInput<typeof tokenRoutes.switchTokens>['body']

/**
 * Disables tokens of users whose accounts the caller may change, or enables them again. Others are left as they are. Resolves with how many
 * were changed.
 */
export async function switchTokens({ ids, status }: Body, call: Call<'user'>): Promise<number> {
  const { ctx, caller, audit } = call
  const owners = await changeableUsers(ctx, caller)
  const before = status === tokenStatus.enabled ? tokenStatus.disabled : tokenStatus.enabled
  const changed = await ctx.database.query.transaction().execute(async (transaction) => {
    const rows = await transaction
      .updateTable('tokens')
      .set({ status })
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('status', '=', before)
      .where('user_id', 'in', transaction.selectFrom('users').select('id').where(owners))
      .returning('id')
      .execute()
    for (const { id } of rows) await ctx.changes.announce({ topic: 'token', refId: id }, transaction)
    return rows.map(({ id }) => id)
  })
  await ctx.changes.deliver()
  audit.target('token', changed.join(','))
  audit.changed({}, { status, changed: changed.length })
  return changed.length
}
