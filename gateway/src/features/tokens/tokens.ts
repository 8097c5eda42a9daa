import { pageOf, searchPageOf, tokenRoutes } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { handler, type Handler } from '../../http/handler'
import { noteToken } from './audit-token'
import { createToken } from './create-token'
import { findTokens, oneToken, tokenRow } from './find-tokens'
import { rotateToken } from './rotate-token'
import { keyOf } from './token-entity'
import { deleteTokens, updateToken } from './update-token'

export const tokenHandlers: readonly Handler[] = [
  handler(tokenRoutes.listTokens, ({ query }, { ctx, caller }) => findTokens(ctx, caller, query, pageOf(query, 0))),
  handler(tokenRoutes.searchTokens, async ({ query }, { ctx, caller }) => {
    const found = await findTokens(ctx, caller, query, searchPageOf(query, 0))
    return query.p === undefined ? found.items : found
  }),
  handler(tokenRoutes.getToken, ({ params }, { ctx, caller }) => oneToken(ctx, caller.userId, params.id)),
  handler(tokenRoutes.createToken, async ({ body }, { ctx, caller, audit }) => {
    const token = await createToken(ctx, caller, body)
    noteToken(audit, { before: null, after: token, hasQuota: true })
    return token
  }),
  handler(tokenRoutes.updateToken, async ({ query, body }, { ctx, caller, audit }) => {
    const edit = query.status_only ? { id: body.id, status: body.status } : body
    const before = await oneToken(ctx, caller.userId, edit.id)
    const after = await updateToken(ctx, caller, edit)
    noteToken(audit, { before, after, hasQuota: edit.remain_quota !== undefined })
    return after
  }),
  handler(tokenRoutes.rotateToken, async ({ params, body }, { ctx, caller, audit }) => {
    const token = await rotateToken(ctx, caller.userId, params.id, body.grace_seconds)
    audit.on('token', token.id, token.name)
    audit.changed({}, { previous_key_until: token.previous_key_until })
    return token
  }),
  handler(tokenRoutes.deleteToken, async ({ params }, { ctx, caller }) => {
    if ((await deleteTokens(ctx, caller.userId, [params.id])) === 0) throw new AppError('token.none')
    return undefined
  }),
  handler(tokenRoutes.deleteTokens, ({ body }, { ctx, caller, audit }) => {
    audit.on('token', body.ids.join(','))
    return deleteTokens(ctx, caller.userId, body.ids)
  }),
  handler(tokenRoutes.revealTokenKey, async ({ params }, { ctx, caller }) => ({
    key: keyOf(ctx, await tokenRow(ctx, caller.userId, params.id)),
  })),
]
