import { isWithinReach, viewAsHeader, type Route } from '@tollgate/contract'
import { LRUCache } from 'lru-cache'

import { standingOf } from '../accounts/users/standing'
import { AppError } from '../platform/app-error'
import type { AuditNote } from '../accounts/audit/audit-log'
import type { Context } from '../context'
import type { Caller } from './handler'

interface ViewRequest {
  readonly ctx: Pick<Context, 'database' | 'clock'>
  readonly request: Request
  readonly audit: AuditNote
}

/** A page makes several requests, and some of them repeatedly: that counts as one view. */
const auditIntervalMs = 600_000
const looksAt = new WeakMap<Context['database'], LRUCache<string, number>>()

/**
 * Resolves with the user whom a call is answered for: the caller, or the user whose view the caller requests. Only reads that the contract
 * allows for this are served, and each view leaves a row in the audit log.
 * @throws AppError `auth.forbidden`, `user.none`.
 */
export async function viewedCaller(
  route: Route,
  caller: Caller | null,
  { ctx, request, audit }: ViewRequest,
): Promise<Caller | null> {
  const text = request.headers.get(viewAsHeader)
  if (text === null) return caller
  const mayView = caller?.grants.has('users.read') && caller.grants.has('logs.read')
  if (!caller || !mayView || !route.isViewable || !/^\d{1,15}$/.test(text)) throw new AppError('auth.forbidden')
  const user = await ctx.database.query
    .selectFrom('users')
    .select(['id', 'username', 'role', 'grants', 'group', 'deleted_at'])
    .where('id', '=', Number(text))
    .executeTakeFirst()
  if (!user || user.deleted_at !== null) throw new AppError('user.none')
  const { rank } = standingOf(user)
  if (!isWithinReach(caller.rank, rank)) throw new AppError('auth.forbidden')
  if (isNewView(`${caller.userId} ${user.id} ${route.path}`, ctx)) {
    audit.by({ ...caller, role: caller.rank })
    audit.read('user.view_as')
    audit.target('user', user.id, user.username)
  }
  const { id: userId, username, role, group } = user
  return {
    userId,
    username,
    role,
    rank,
    group,
    grants: new Set(),
    isByAccessToken: caller.isByAccessToken,
    scopes: caller.scopes,
    isViewed: true,
  }
}

function isNewView(view: string, { database, clock }: ViewRequest['ctx']): boolean {
  const lastAudited = looksAt.get(database) ?? new LRUCache<string, number>({ max: 1000 })
  looksAt.set(database, lastAudited)
  const now = clock.monotonic()
  const last = lastAudited.get(view)
  if (last !== undefined && now - last < auditIntervalMs) return false
  lastAudited.set(view, now)
  return true
}
