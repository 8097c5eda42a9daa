import { tokenRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Transaction } from '../../platform/store/database'
import { sha256 } from '../../platform/store/seal'
import { oneToken } from './find-tokens'
import { newKeys, newTokenKey } from './token-keys'
import { tokenColumns } from './token-rules'

/** Creates a token of the caller's. @throws AppError `token.limit` and the codes of `tokenColumns`. */
export async function createToken(
  ctx: Context,
  caller: Pick<Caller, 'userId' | 'group'>,
  newToken: tokenRoutes.NewToken,
): Promise<tokenRoutes.TokenEntity> {
  const columns = tokenColumns(
    { ...newToken, status: undefined },
    { group: caller.group, options: ctx.catalog.current.options },
  )
  const key = newTokenKey(ctx.random)
  const id = await ctx.database.query.transaction().execute(async (transaction) => {
    await refuseTooMany(ctx, caller.userId, transaction)
    const row = await transaction
      .insertInto('tokens')
      .values({
        ...columns,
        name: newToken.name,
        user_id: caller.userId,
        key_hash: sha256(key),
        key_sealed: '',
        granted_quota: 0,
        created_time: ctx.clock.seconds(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // Bound to its row, so it is written when that has an id.
    const key_sealed = ctx.seal.seal(key, `tokens.key_sealed#${row.id}`)
    await transaction.updateTable('tokens').set({ key_sealed }).where('id', '=', row.id).execute()
    if (newToken.remain_quota) await ctx.ledger.adjustTokenBalance(row.id, newToken.remain_quota, transaction)
    await ctx.changes.announce({ topic: 'token', refId: row.id }, transaction)
    return row.id
  })
  await ctx.changes.deliver()
  return oneToken(ctx, caller.userId, id, newKeys(ctx))
}

/** The user's row is locked, so that parallel calls count one after the other. */
async function refuseTooMany(ctx: Context, userId: number, transaction: Transaction): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .$if(ctx.database.kind === 'postgres', (query) => query.forUpdate())
    .execute()
  const { count } = await transaction
    .selectFrom('tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= tokenRoutes.maxTokensPerUser)
    throw new AppError('token.limit', { params: { limit: tokenRoutes.maxTokensPerUser } })
}
