import { role, type RouteInput, type userRoutes } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { checkedDisplayName, checkedUsername, hashedPassword, usernameKey } from '../../accounts/credentials'
import { refuseTakenName } from '../../accounts/taken-name'
import type { Context } from '../../context'
import type { Call } from '../../http/handler'
import { endSessions } from '../../sessions/sessions'
import type { Transaction } from '../../store/database'
import { oneUser } from './find-users'
import { logQuotaChange } from './log-quota-change'
import { checkGivenRole, refuseOutOfReach } from './rank'
import { announceUser, checkQuota, lockUser } from './touch-user'

type Body = RouteInput<typeof userRoutes.updateUser>['body']
type Target = Awaited<ReturnType<typeof lockUser>>

/**
 * Change what the body names and nothing else.
 * @throws AppError `user.none`, `user.deregistered`, `user.rank_edit`, `user.rank_raise`, `user.username`, `user.exists`,
 *   `user.password`, `user.group`, `user.quota`.
 */
export async function updateUser(body: Body, call: Call<'admin'>): Promise<userRoutes.UserEntity> {
  const { ctx, caller } = call
  const passwordHash = body.password ? await hashedPassword(body.password) : undefined
  const balance = body.quota === undefined ? undefined : await checkedBalance(ctx, body.id, body.quota)
  const { username, change } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, body.id, transaction)
    refuseOutOfReach(caller.role, target.role, 'user.rank_edit')
    const changes = await changesOf(body, target, call, transaction)
    const isAccessEnded = passwordHash !== undefined || (changes.role ?? target.role) < target.role
    const columns = { ...changes, ...(passwordHash && { password_hash: passwordHash }) }
    if (Object.keys(columns).length > 0) {
      await transaction.updateTable('users').set(columns).where('id', '=', target.id).execute()
    }
    if (isAccessEnded) await endSessions(target.id, transaction)
    await announceUser(ctx, target.id, transaction)
    const change = balance === undefined ? 0 : await adjust(call, target.id, balance, transaction)
    return { username: columns.username ?? target.username, change }
  })
  await ctx.changes.deliver()
  await logQuotaChange({ userId: body.id, username, change }, call)
  return oneUser(ctx, caller, body.id)
}

/** A balance that costs above its reservation took below zero may be sent back unchanged. */
async function checkedBalance(ctx: Context, userId: number, quota: number): Promise<number | undefined> {
  if (quota >= 0) return checkQuota(quota)
  const present = (await ctx.ledger.balanceOf([userId])).get(userId)
  return quota === present ? undefined : checkQuota(quota)
}

const adjust = ({ ctx, requestId }: Call<'admin'>, userId: number, quota: number, transaction: Transaction) =>
  ctx.ledger.adjustBalance(`admin:${requestId}`, userId, quota, transaction)

async function changesOf(body: Body, target: Target, { ctx, caller }: Call<'admin'>, transaction: Transaction) {
  const name = changed(body.username, target.username, checkedUsername)
  if (name !== undefined) await refuseTakenName(name, target.id, transaction)
  if (body.role !== undefined && body.role !== target.role) {
    if (target.role >= role.root) throw new AppError('root.demote')
    checkGivenRole(caller.role, body.role, 'user.rank_raise')
  }
  const group = changed(body.group, target.group, (wanted) => checkedGroup(wanted, ctx))
  return {
    ...(name !== undefined && { username: name, username_key: usernameKey(name) }),
    ...(body.display_name !== undefined && {
      display_name: checkedDisplayName(body.display_name, name ?? target.username),
    }),
    ...(group !== undefined && { group }),
    ...(body.role !== undefined && { role: body.role }),
  }
}

/** A value that is sent back as it was read is not checked again: it may be older than today's rules. */
const changed = (wanted: string | undefined, present: string, check: (wanted: string) => string) =>
  wanted === undefined || wanted === present ? undefined : check(wanted)

function checkedGroup(group: string, { catalog }: Context): string {
  if (catalog.current.options.GroupRatio[group] === undefined) throw new AppError('user.group', { params: { group } })
  return group
}
