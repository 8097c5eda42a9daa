import {
  userRoutes,
  role,
  completeGrants,
  presetOf,
  type RouteInput,
  type Grant,
  type UserId,
} from '@tollgate/contract'

import { auditUser, passwordSet } from '../../accounts/users/audit-user'
import { handler, type Handler, type Call, type Caller } from '../../http/handler'
import { changeUsers } from './change-users'
import { exportUsers } from './export-users'
import { findUsers, readUser, oneUser } from './find-users'
import { deleteUser, manageUser } from './manage-user'
import { updateUser } from './update-user'
import { addMember } from '../../accounts/users/add-member'
import { checkedDisplayName, checkedUsername } from '../../accounts/users/usernames'
import { hashedPassword } from '../../accounts/users/passwords'
import { checkGivenRole, refuseOutOfReach } from './rank'
import { removeFactors } from '../../accounts/factors/held-factors'
import { AppError } from '../../platform/app-error'
import { logUserAction } from './log-user-action'
import { mailUser } from './mail-user'
import { lockUser, announceUser } from './touch-user'
import type { Context } from '../../context'
import { lastDays, readSumProgress } from '../../billing/analytics/rollups'
import { noFigures, sumsByKey } from '../../billing/analytics/query'
import { readableUsers } from '../../accounts/users/known-users'
import { seenAt } from './sort-users'

export const userHandlers: readonly Handler[] = [
  handler(userRoutes.listUsers, ({ query }, { ctx, caller }) => findUsers(ctx, caller, query)),
  handler(userRoutes.searchUsers, ({ query }, { ctx, caller }) => findUsers(ctx, caller, query)),
  handler(userRoutes.exportUsers, ({ query }, call) => exportUsers(query, call)),
  handler(userRoutes.usersUsage, ({ query }, { ctx, caller }) => usersUsage(query.ids, ctx, caller)),
  handler(userRoutes.getUser, ({ params }, { ctx, caller }) => readUser(ctx, caller, params.id)),
  handler(userRoutes.createUser, async ({ body }, call) => {
    const user = await createUser(body, call)
    call.audit.target('user', user.id, user.username)
    call.audit.recordChange({}, { role: user.role, group: user.group, quota: user.quota })
    return user
  }),
  handler(userRoutes.updateUser, ({ body }, call) => {
    if (body.password) call.audit.recordChange({}, passwordSet)
    if (body.reason) call.audit.recordChange({}, { reason: body.reason })
    return auditUser(call, { userId: body.id, hasQuota: body.quota !== undefined }, () => updateUser(body, call))
  }),
  handler(userRoutes.manageUser, ({ body }, call) => {
    call.audit.recordChange({}, { action: body.action, ...(body.reason && { reason: body.reason }) })
    const compared = { userId: body.id, hasQuota: body.action === 'add_quota' }
    return auditUser(call, compared, () => manageUser(body, call))
  }),
  handler(userRoutes.changeUsers, ({ body }, call) => changeUsers(body, call)),
  handler(userRoutes.setGrants, ({ params, body }, call) =>
    auditUser(call, { userId: params.id }, () => setGrants(params.id, body.grants, call)),
  ),
  handler(userRoutes.removeFactors, ({ params, body }, call) => removeUserFactors(params.id, body.reason, call)),
  handler(userRoutes.deleteUser, ({ params }, call) =>
    auditUser(call, { userId: params.id }, async () => {
      await deleteUser(params.id, call)
      return undefined
    }),
  ),
]

type Body = RouteInput<typeof userRoutes.createUser>['body']

/**
 * Creates a user of a lower role, who gets the initial quota once.
 * @throws AppError `user.username`, `user.password`, `user.exists`, `user.rank_create`.
 */
async function createUser(body: Body, call: Call<'user'>): Promise<userRoutes.UserEntity> {
  const { ctx, caller } = call
  const username = checkedUsername(body.username)
  const newRole = body.role ?? role.user
  checkGivenRole(caller, newRole, 'user.rank_create')
  const user = {
    username,
    displayName: checkedDisplayName(body.display_name, username),
    passwordHash: await hashedPassword(body.password),
    role: newRole,
  }
  const { userId } = await ctx.database.query.transaction().execute((transaction) => addMember(ctx, user, transaction))
  return oneUser(ctx, userId)
}

/**
 * Removes the second factors of a user who can no longer sign in with them.
 * @throws AppError `user.none`, `user.deregistered`, `user.rank_edit`, `factor.none`.
 */
async function removeUserFactors(userId: number, reason: string, call: Call<'user'>): Promise<undefined> {
  const { ctx, caller, audit } = call
  const { username } = await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    audit.target('user', userId, target.username)
    refuseOutOfReach(caller, target, 'user.rank_edit')
    if (!(await removeFactors(userId, transaction))) throw new AppError('factor.none')
    await mailUser('factors-removed-by-admin', userId, call, transaction)
    return target
  })
  await ctx.changes.deliver()
  audit.recordChange({ second_factors: 'set' }, { second_factors: 'none', reason })
  logUserAction('remove_factors', { id: userId, username, reason }, call)
}

/**
 * Sets the grants of an account. In force at the account's next call, also in existing sessions and with existing access tokens.
 * @throws AppError `user.none`, `user.deregistered`, `root.grants`.
 */
async function setGrants(
  userId: number,
  chosen: readonly Grant[],
  { ctx }: Call<'user'>,
): Promise<userRoutes.UserEntity> {
  await ctx.database.query.transaction().execute(async (transaction) => {
    const target = await lockUser(ctx, userId, transaction)
    if (target.role >= role.root) throw new AppError('root.grants')
    const grants = storedText(target.role, completeGrants(chosen))
    await transaction.updateTable('users').set({ grants }).where('id', '=', userId).execute()
    await announceUser(ctx, userId, transaction)
  })
  await ctx.changes.deliver()
  return oneUser(ctx, userId)
}

/** Null for the grants of the role itself, so that the account keeps up with its role. */
function storedText(userRole: number, grants: readonly Grant[]): string | null {
  const text = grants.join(',')
  return text === presetOf(userRole).join(',') ? null : text
}

/**
 * Resolves with what the given users used in the last `usageDays` days, read from the usage sums, and when they were seen last. Users out of
 * the caller's reach are left out.
 */
async function usersUsage(ids: readonly UserId[], ctx: Context, caller: Caller): Promise<userRoutes.UserUsage[]> {
  if (ids.length === 0) return []
  const { query } = ctx.database
  const isReadable = await readableUsers(ctx, caller, {})
  const readable = await query
    .selectFrom('users')
    .select(['id', seenAt.as('seen_at')])
    .where((eb) => eb.and([eb('id', 'in', [...ids]), isReadable(eb)]))
    .execute()
  const usageQuery = {
    filter: {},
    hours: lastDays(userRoutes.usageDays, ctx.clock.now()),
    column: 'user_id',
    keys: readable.map(({ id }) => id),
  } as const
  const totals = await sumsByKey(await readSumProgress(query), usageQuery)
  return readable.map(({ id, seen_at }) => {
    const { count, prompt_tokens: prompt, completion_tokens: completion, quota } = totals.get(String(id)) ?? noFigures
    return { id, calls: count, tokens: prompt + completion, quota, seen_at }
  })
}
