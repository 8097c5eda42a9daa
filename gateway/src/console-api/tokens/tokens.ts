import { pageOf, searchPageOf, tokenRoutes, tokenStatus, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { createToken } from './create-token'
import { findAllTokens } from './find-all-tokens'
import { findTokens, oneToken, tokenRow } from './find-tokens'
import { rotateToken } from './rotate-token'
import { shownKeys } from './token-keys'
import { keyOf } from './token-entity'
import { deleteTokens, updateToken } from './update-token'
import type { AuditNote } from '../../accounts/audit/audit-log'
import { requireProof } from '../../http/sign-in/require-step-up'
import { changeableUsers } from '../../accounts/users/known-users'

const finderOf = async (call: Call<'user'>) => ({ ...call.caller, shownKey: await shownKeys(call) })

export const tokenHandlers: readonly Handler[] = [
  handler(tokenRoutes.listTokens, async ({ query }, call) =>
    findTokens(call.ctx, await finderOf(call), query, pageOf(query, 0)),
  ),
  handler(tokenRoutes.searchTokens, async ({ query }, call) => {
    const found = await findTokens(call.ctx, await finderOf(call), query, searchPageOf(query, 0))
    return query.p === undefined ? found.items : found
  }),
  handler(tokenRoutes.listAllTokens, ({ query }, call) => findAllTokens(query, call)),
  handler(tokenRoutes.switchTokens, ({ body }, call) => switchTokens(body, call)),
  handler(tokenRoutes.getToken, async ({ params }, call) =>
    oneToken(call.ctx, call.caller.userId, params.id, await shownKeys(call)),
  ),
  handler(tokenRoutes.createToken, async ({ body }, call) => {
    await requireMint(call)
    const { ctx, caller, audit } = call
    const token = await createToken(ctx, caller, body)
    noteToken(audit, { before: null, after: token, hasQuota: true })
    return token
  }),
  handler(tokenRoutes.updateToken, async ({ query, body }, call) => {
    const { ctx, audit } = call
    const owner = await finderOf(call)
    const edit = query.status_only ? { id: body.id, status: body.status } : body
    const before = await oneToken(ctx, owner.userId, edit.id, owner.shownKey)
    const after = await updateToken(ctx, owner, edit)
    noteToken(audit, { before, after, hasQuota: edit.remain_quota !== undefined })
    return after
  }),
  handler(tokenRoutes.rotateToken, async ({ params, body }, call) => {
    await requireMint(call)
    const { ctx, caller, audit } = call
    const token = await rotateToken(ctx, caller.userId, params.id, body.grace_seconds)
    audit.target('token', token.id, token.name)
    audit.recordChange({}, { previous_key_until: token.previous_key_until })
    return token
  }),
  handler(tokenRoutes.deleteToken, async ({ params }, { ctx, caller }) => {
    if ((await deleteTokens(ctx, caller.userId, [params.id])) === 0) throw new AppError('token.none')
    return undefined
  }),
  handler(tokenRoutes.deleteTokens, ({ body }, { ctx, caller, audit }) => {
    audit.target('token', body.ids.join(','))
    return deleteTokens(ctx, caller.userId, body.ids)
  }),
  handler(tokenRoutes.revealTokenKey, async ({ params }, { ctx, caller }) => ({
    key: keyOf(ctx, await tokenRow(ctx, caller.userId, params.id)),
  })),
]

/** Returns what the audit log keeps of a token: what its owner decides, and never the key. The balance changes by spending. */
const factsOf = (token: tokenRoutes.TokenEntity, hasQuota: boolean) => ({
  name: token.name,
  status: token.status,
  expired_time: token.expired_time,
  ...(hasQuota && { remain_quota: token.remain_quota }),
  unlimited_quota: token.unlimited_quota,
  model_limits_enabled: token.model_limits_enabled,
  model_limits: token.model_limits,
  allow_ips: token.allow_ips,
  group: token.group,
  rate_limit_enabled: token.rate_limit_enabled,
  rate_limit_period: token.rate_limit_period,
  rate_limit_count: token.rate_limit_count,
  rate_limit_success: token.rate_limit_success,
  response_cache: token.response_cache,
})

interface TokenChange {
  /** Null: a new one. */
  readonly before: tokenRoutes.TokenEntity | null
  readonly after: tokenRoutes.TokenEntity
  /** The call may change the quota. */
  readonly hasQuota: boolean
}

/** Records in the audit log what happened to a token. */
function noteToken(audit: AuditNote, { before, after, hasQuota }: TokenChange): void {
  audit.target('token', after.id, after.name)
  audit.recordChange(before ? factsOf(before, hasQuota) : {}, factsOf(after, hasQuota))
}

/**
 * Requires of an access token that is not narrowed what creating access tokens requires: a new key spends its owner's balance. A narrowed
 * one was given the scope for it, and is refused by the route without.
 * @throws AppError `auth.step_up`, `auth.sign_in_again`.
 */
async function requireMint(call: Call<'user'>): Promise<void> {
  const { isByAccessToken, scopes } = call.caller
  if (isByAccessToken && scopes === null) await requireProof(call, 'access_token')
}

type Body = RouteInput<typeof tokenRoutes.switchTokens>['body']

/**
 * Disables tokens of users whose accounts the caller may change, or enables them again. Others are left as they are. Resolves with how many
 * were changed.
 */
async function switchTokens({ ids, status }: Body, call: Call<'user'>): Promise<number> {
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
  audit.recordChange({}, { status, changed: changed.length })
  return changed.length
}
