import { pageOf, searchPageOf, tokenRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { noteToken } from './audit-token'
import { createToken } from './create-token'
import { findAllTokens } from './find-all-tokens'
import { findTokens, oneToken, tokenRow } from './find-tokens'
import { requireMint } from './require-mint'
import { rotateToken } from './rotate-token'
import { shownKeys } from './shown-keys'
import { switchTokens } from './switch-tokens'
import { keyOf } from './token-entity'
import { deleteTokens, updateToken } from './update-token'

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
    audit.changed({}, { previous_key_until: token.previous_key_until })
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
