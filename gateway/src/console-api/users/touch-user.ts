import { standingOf } from '../../accounts/users/standing'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'

/** Locks the row of a user about to be changed until the transaction ends. */
export async function lockUser(ctx: Context, userId: number, transaction: Transaction) {
  const found = await transaction
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role', 'grants', 'status', 'group', 'deleted_at'])
    .where('id', '=', userId)
    .$if(ctx.database.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!found) throw new AppError('user.none')
  const { grants: _stored, deleted_at: deletedAt, ...row } = found
  if (deletedAt !== null) throw new AppError('user.deregistered')
  return { ...row, ...standingOf(found) }
}

/** Announces the change to every worker that holds something of the user in memory. */
export const announceUser = (ctx: Context, userId: number, transaction: Transaction) =>
  ctx.changes.announce({ topic: 'user', refId: userId }, transaction)

/** The most quota an administrator may set a balance to or move at once. */
const maxQuota = 1e15

/**
 * Checks a balance to set, or an amount to move: both may be negative, as a balance may be a debt.
 * @throws AppError `user.quota` unless it is a whole number within `largestQuota` in either direction.
 */
export function checkQuota(quota: number | undefined): number {
  if (quota === undefined || !Number.isSafeInteger(quota) || Math.abs(quota) > maxQuota) {
    throw new AppError('user.quota', { params: { limit: maxQuota } })
  }
  return quota
}

/** @throws AppError `user.group_empty`, `user.group` unless the site has such a group. */
export function checkGroup(group: string, { catalog }: Context): string {
  if (group.trim() === '') throw new AppError('user.group_empty')
  if (catalog.current.options.GroupRatio[group] === undefined) throw new AppError('user.group', { params: { group } })
  return group
}
