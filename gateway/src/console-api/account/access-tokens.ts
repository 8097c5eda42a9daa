import {
  accessTokenRoutes,
  completeGrants,
  isGrant,
  isTokenScope,
  ownScopes,
  type RouteResult,
  type RouteInput,
} from '@tollgate/contract'

import { lockUserRow } from '../../accounts/users/lock-user-row'
import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { sha256 } from '../../platform/store/seal'
import type { AccessTokenRow } from '../../platform/store/tables'
import { randomToken } from '../../platform/random'

const tokenBytes = 32

type Body = RouteInput<typeof accessTokenRoutes.createAccessToken>['body']

const entityOf = ({
  token_hash: _hash,
  user_id: _user,
  ...row
}: AccessTokenRow): accessTokenRoutes.AccessTokenEntity => ({
  ...row,
  scopes: row.scopes === null ? null : row.scopes.split(',').filter(isTokenScope),
})

async function list({ ctx, caller }: Call<'user'>): Promise<accessTokenRoutes.AccessTokenEntity[]> {
  const rows = await ctx.database.query
    .selectFrom('access_tokens')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(entityOf)
}

/** @throws AppError `access_token.session`, `access_token.expiry`, `access_token.scopes`, `access_token.limit`. */
async function create(
  { name, expires_at: expiresAt = null, scopes = null }: Body,
  { ctx, caller, audit }: Call<'user'>,
): Promise<RouteResult<typeof accessTokenRoutes.createAccessToken>> {
  const now = ctx.clock.seconds()
  // It could have more scopes than the one that created it.
  if (caller.isByAccessToken) throw new AppError('access_token.session')
  if (expiresAt !== null && expiresAt <= now) throw new AppError('access_token.expiry')
  const requestedGrants = completeGrants((scopes ?? []).filter(isGrant))
  if (requestedGrants.some((grant) => !caller.grants.has(grant))) throw new AppError('access_token.scopes')
  const stored = scopes && [...ownScopes.filter((scope) => scopes.includes(scope)), ...requestedGrants].join(',')
  const token = randomToken(ctx.random, tokenBytes)
  const row = await ctx.database.query.transaction().execute(async (transaction) => {
    // Simultaneously created tokens are counted one after the other.
    await lockUserRow(transaction, caller.userId)
    const { count } = await transaction
      .selectFrom('access_tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    const limit = accessTokenRoutes.maxAccessTokens
    if (count >= limit) throw new AppError('access_token.limit', { params: { limit } })
    return transaction
      .insertInto('access_tokens')
      .values({
        user_id: caller.userId,
        token_hash: sha256(token),
        name,
        scopes: stored,
        created_at: now,
        expires_at: expiresAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  audit.target('access_token', row.id, name)
  audit.recordChange({}, { scopes: row.scopes, expires_at: expiresAt })
  return { ...entityOf(row), token }
}

/** @throws AppError `access_token.none`. */
async function revoke(id: number, { ctx, caller, audit }: Call<'user'>): Promise<undefined> {
  const removed = await ctx.database.query
    .deleteFrom('access_tokens')
    .where('id', '=', id)
    .where('user_id', '=', caller.userId)
    .returning('name')
    .executeTakeFirst()
  if (!removed) throw new AppError('access_token.none')
  audit.target('access_token', id, removed.name)
}

export const accessTokenHandlers: readonly Handler[] = [
  handler(accessTokenRoutes.listAccessTokens, (_input, call) => list(call)),
  handler(accessTokenRoutes.createAccessToken, ({ body }, call) => create(body, call)),
  handler(accessTokenRoutes.deleteAccessToken, ({ params }, call) => revoke(params.id, call)),
]
