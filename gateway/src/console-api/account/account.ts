import { role, accountRoutes } from '@tollgate/contract'

import { auditUser, passwordSet } from '../../accounts/users/audit-user'
import { entityColumns, userEntities } from '../../accounts/users/user-entity'
import { AppError } from '../../platform/app-error'
import { hasPlans } from '../../billing/plans/subscription'
import { handler, type Call, type Handler } from '../../http/handler'
import { removeTurnsOf } from '../../channels/turns/turn-rows'
import { clearInbox } from '../../messaging/messages/inbox'
import { endedCookies } from '../../accounts/sessions/session-cookie'
import { endSessions } from '../../accounts/sessions/sessions'
import { sha256 } from '../../platform/store/seal'
import { accessTokenHandlers } from './access-tokens'
import { proveAgain } from './prove-again'
import { updateSelf } from './update-account'
import { updateSetting } from './update-setting'
import { randomToken } from '../../platform/random'

const accessTokenBytes = 32

async function self({ ctx, caller }: Call<'user'>) {
  const { query } = ctx.database
  const rows = await query
    .selectFrom('users')
    .select(entityColumns)
    .select(hasPlans(query, caller.userId).as('has_plans'))
    .where('id', '=', caller.userId)
    .execute()
  const [entity] = await userEntities(rows, ctx, caller.isViewed ? 'operator' : 'owner')
  if (!entity) throw new AppError('user.none')
  return { ...entity, has_plans: Boolean(rows[0]?.has_plans) }
}

/** Closes the account: its name stays reserved, its keys stop working. @throws AppError `root.self_delete`, `user.in_debt`. */
async function deleteSelf({ ctx, caller, responseHeaders }: Call<'user'>): Promise<undefined> {
  if (caller.role >= role.root) throw new AppError('root.self_delete')
  const balances = await ctx.ledger.balanceOf([caller.userId])
  if ((balances.get(caller.userId) ?? 0) < 0) throw new AppError('user.in_debt')
  await ctx.database.query.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('users')
      .set({ deleted_at: ctx.clock.seconds() })
      .where('id', '=', caller.userId)
      .execute()
    await endSessions(caller.userId, transaction)
    await clearInbox(caller.userId, transaction)
    await removeTurnsOf(caller.userId, transaction)
    await ctx.changes.announce({ topic: 'user', refId: caller.userId }, transaction)
  })
  await ctx.changes.deliver()
  for (const cookie of endedCookies()) responseHeaders.append('Set-Cookie', cookie)
}

/** Only its hash is stored. @throws AppError `access_token.session` for a narrowed access token: the new one may do everything. */
async function newAccessToken({ ctx, caller, audit }: Call<'user'>): Promise<string> {
  if (caller.scopes !== null) throw new AppError('access_token.session')
  audit.target('user', caller.userId, caller.username)
  const accessToken = randomToken(ctx.random, accessTokenBytes)
  await ctx.database.query
    .updateTable('users')
    .set({ access_token_hash: sha256(accessToken) })
    .where('id', '=', caller.userId)
    .execute()
  return accessToken
}

export const selfHandlers: readonly Handler[] = [
  ...accessTokenHandlers,
  handler(accountRoutes.getSelf, (_input, call) => self(call)),
  handler(accountRoutes.updateSelf, ({ body }, call) => {
    if (body.password) call.audit.recordChange({}, passwordSet)
    return auditUser(call, call.caller, async () => {
      await updateSelf(body, call)
      return undefined
    })
  }),
  handler(accountRoutes.updateSetting, async ({ body }, call) => {
    await updateSetting(body, call)
    return undefined
  }),
  handler(accountRoutes.deleteSelf, (_input, call) => auditUser(call, call.caller, () => deleteSelf(call))),
  handler(accountRoutes.stepUp, ({ body }, call) => proveAgain(body, call)),
  handler(accountRoutes.newAccessToken, (_input, call) => newAccessToken(call)),
  handler(accountRoutes.newAccessTokenByLink, (_input, call) => newAccessToken(call)),
]
