import { role, type RouteInput, type userRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { checkedDisplayName, checkedUsername, refuseTakenName, usernameKey } from '../../accounts/users/usernames'
import { hashedPassword } from '../../accounts/users/passwords'
import { quotaEdit, type QuotaEdit } from '../../billing/ledger/balances'
import type { Call } from '../../http/handler'
import { requireGrant } from '../../http/guard'
import { endSessions } from '../../accounts/sessions/sessions'
import type { Transaction } from '../../platform/store/database'
import { oneUser } from './find-users'
import { logQuotaChange, logUserAction } from './log-user-action'
import { mailUser } from './mail-user'
import { checkGivenRole, refuseOutOfReach } from './rank'
import { announceUser, checkGroup, checkQuota, lockUser } from './touch-user'

type Body = RouteInput<typeof userRoutes.updateUser>['body']
type Target = Awaited<ReturnType<typeof lockUser>>

/**
 * Changes what the body names and nothing else.
 * @throws AppError `user.none`, `user.deregistered`, `user.rank_edit`, `user.rank_raise`, `user.username`, `user.exists`, `user.password`,
 * `user.group`, `user.quota`, `quota.bounds`, `auth.forbidden`.
 */
export async function updateUser(body: Body, call: Call<'user'>): Promise<userRoutes.UserEntity> {
  const { ctx, caller } = call
  const passwordHash = body.password ? await hashedPassword(body.password) : undefined
  const edit = checkedEdit(body)
  const { username, change } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, body.id, transaction)
    refuseOutOfReach(caller, target, 'user.rank_edit')
    const changes = await changesOf(body, target, call, transaction)
    const isAccessEnded = passwordHash !== undefined || (changes.role ?? target.role) < target.role
    const columns = { ...changes, ...(passwordHash && { password_hash: passwordHash }) }
    if (edit.kind !== 'keep') requireGrant(caller, 'balances.write')
    if (Object.keys(columns).length > 0) {
      requireGrant(caller, 'users.write')
      await transaction.updateTable('users').set(columns).where('id', '=', target.id).execute()
    }
    if (isAccessEnded) await endSessions(target.id, transaction)
    if (passwordHash) await mailUser('password-changed-by-admin', target.id, call, transaction)
    await announceUser(ctx, target.id, transaction)
    const change = await changeBalance(edit, target.id, call, transaction)
    return { username: columns.username ?? target.username, change }
  })
  await ctx.changes.deliver()
  if (change < 0) await ctx.ledger.whenRecalled('user', body.id)
  if (passwordHash) logUserAction('set_password', { id: body.id, username }, call)
  await logQuotaChange({ userId: body.id, username, change, reason: body.reason }, call)
  return oneUser(ctx, body.id)
}

function checkedEdit({ quota, quota_read: read }: Body): QuotaEdit {
  const edit = quotaEdit(quota, read)
  if (edit.kind === 'change') checkQuota(edit.amount)
  if (edit.kind !== 'keep') checkQuota(quota)
  return edit
}

/** Resolves with the change of the balance. */
async function changeBalance(edit: QuotaEdit, userId: number, call: Call<'user'>, transaction: Transaction) {
  const { ledger } = call.ctx
  const id = `admin:${call.requestId}`
  if (edit.kind === 'keep') return 0
  if (edit.kind === 'set') return ledger.adjustBalance(id, userId, edit.quota, transaction)
  await ledger.credit({ id, userId, kind: 'admin', amount: edit.amount }, transaction)
  return edit.amount
}

async function changesOf(body: Body, target: Target, { ctx, caller }: Call<'user'>, transaction: Transaction) {
  const name = checkIfChanged(body.username, target.username, checkedUsername)
  if (name !== undefined) await refuseTakenName(name, target.id, transaction)
  if (body.role !== undefined && body.role !== target.role) {
    if (target.role >= role.root) throw new AppError('root.demote')
    checkGivenRole(caller, body.role, 'user.rank_raise')
  }
  const group = checkIfChanged(body.group, target.group, (requested) => checkGroup(requested, ctx))
  const displayName = checkIfChanged(body.display_name, target.display_name, (requested) =>
    checkedDisplayName(requested, name ?? target.username),
  )
  return {
    ...(name !== undefined && { username: name, username_key: usernameKey(name) }),
    ...(displayName !== undefined && { display_name: displayName }),
    ...(group !== undefined && { group }),
    // Another role comes with the grants of that role.
    ...(body.role !== undefined && body.role !== target.role && { role: body.role, grants: null }),
  }
}

/** A value that is sent back as it was read is not checked again: it may be older than today's rules. */
const checkIfChanged = (requested: string | undefined, present: string, check: (requested: string) => string) =>
  requested === undefined || requested === present ? undefined : check(requested)
