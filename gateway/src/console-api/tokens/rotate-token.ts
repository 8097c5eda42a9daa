import type { tokenRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { sha256 } from '../../platform/store/seal'
import { oneToken } from './find-tokens'
import { newKeys, newTokenKey } from './token-keys'

/**
 * Gives a token of the user a new key. The current one works for `graceSeconds` more; the one before it, if it is still valid, stops at
 * once.
 * @throws AppError `token.none`.
 */
export async function rotateToken(
  ctx: Context,
  userId: number,
  tokenId: number,
  graceSeconds: number,
): Promise<tokenRoutes.TokenEntity> {
  const key = newTokenKey(ctx.random)
  const until = ctx.clock.seconds() + graceSeconds
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('tokens')
      .set((eb) => ({
        // Read before they are written: in one statement, so that of two rotations neither brings an older key back.
        previous_key_hash: graceSeconds > 0 ? eb.ref('key_hash') : null,
        previous_key_until: graceSeconds > 0 ? until : 0,
        key_hash: sha256(key),
        key_sealed: ctx.seal.seal(key, `tokens.key_sealed#${tokenId}`),
      }))
      .where('id', '=', tokenId)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('token.none')
    await ctx.changes.announce({ topic: 'token', refId: tokenId }, transaction)
  })
  await ctx.changes.deliver()
  return oneToken(ctx, userId, tokenId, newKeys(ctx))
}
