import { role, userRoutes, userStatus, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { requireGrant } from '../../http/guard'
import { removeTurnsOf } from '../../channels/turns/turn-rows'
import { clearInbox } from '../../messaging/messages/inbox'
import { endSessions } from '../../accounts/sessions/sessions'
import type { Transaction } from '../../platform/store/database'
import { logQuotaChange, logUserAction } from './log-user-action'
import { checkAction, refuseOutOfReach, type RoleAction } from './rank'
import { announceUser, checkQuota, lockUser } from './touch-user'

type Body = RouteInput<typeof userRoutes.manageUser>['body']
type Action = (typeof userRoutes.userActions)[number]

const isAction = (text: string): text is Action => userRoutes.userActions.some((action) => action === text)

/**
 * Performs one of the named actions on a user and resolves with the new status and role.
 * @throws AppError `user.action` for anything else, `auth.forbidden`, `user.none`, `user.deregistered`, and those of `checkAction`.
 */
export async function manageUser(body: Body, call: Call<'user'>): Promise<{ status: number; role: number }> {
  if (!isAction(body.action)) throw new AppError('user.action', { params: { action: body.action } })
  requireGrant(call.caller, body.action === 'add_quota' ? 'balances.write' : 'users.write')
  if (body.action === 'add_quota') return changeQuota(body, call)
  return act(body.action, body.id, call)
}

async function act(action: RoleAction, userId: number, call: Call<'user'>) {
  const { ctx, caller } = call
  const { target, state } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    checkAction(action, caller, target)
    await applyAction(action, userId, ctx.clock.seconds(), transaction)
    await announceUser(ctx, userId, transaction)
    return { target, state: { status: target.status, role: target.role, ...outcome[action] } }
  })
  await ctx.changes.deliver()
  logUserAction(action, target, call)
  return state
}

/** Another role comes with the grants of that role. */
const outcome: Record<RoleAction, { status?: number; role?: number }> = {
  enable: { status: userStatus.enabled },
  disable: { status: userStatus.disabled },
  promote: { role: role.admin },
  demote: { role: role.user },
  delete: {},
}

const endsAccess = new Set<RoleAction>(['disable', 'demote', 'delete'])

/** Sets the columns of an action, and ends the access that it takes. */
export async function applyAction(action: RoleAction, userId: number, now: number, transaction: Transaction) {
  const columns = {
    ...outcome[action],
    ...(action === 'delete' && { deleted_at: now }),
    ...(outcome[action].role !== undefined && { grants: null }),
  }
  await transaction.updateTable('users').set(columns).where('id', '=', userId).execute()
  if (endsAccess.has(action)) await endSessions(userId, transaction)
  if (action !== 'delete') return
  await clearInbox(userId, transaction)
  await removeTurnsOf(userId, transaction)
}

/** Closes an account for good. @throws AppError `user.none`, `user.deregistered`, `user.rank_delete`, `root.delete`. */
export async function deleteUser(userId: number, call: Call<'user'>): Promise<void> {
  const { ctx, caller } = call
  const target = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    refuseOutOfReach(caller, target, 'user.rank_delete')
    checkAction('delete', caller, target)
    await applyAction('delete', userId, ctx.clock.seconds(), transaction)
    await announceUser(ctx, userId, transaction)
    return target
  })
  await ctx.changes.deliver()
  logUserAction('delete', target, call)
}

async function changeQuota({ id, value, mode = 'add', reason }: Body, call: Call<'user'>) {
  const { ctx, caller, requestId } = call
  const amount = checkQuota(value)
  const { target, change } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, id, transaction)
    refuseOutOfReach(caller, target, 'user.rank_edit')
    const creditId = `admin:${requestId}`
    if (mode === 'override') {
      return { target, change: await ctx.ledger.adjustBalance(creditId, id, amount, transaction) }
    }
    const change = mode === 'add' ? amount : -amount
    if (change !== 0) await ctx.ledger.credit({ id: creditId, userId: id, kind: 'admin', amount: change }, transaction)
    return { target, change }
  })
  if (change < 0) await ctx.ledger.whenRecalled('user', id)
  await logQuotaChange({ userId: id, username: target.username, change, reason }, call)
  return { status: target.status, role: target.role }
}
