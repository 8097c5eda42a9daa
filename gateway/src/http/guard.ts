import {
  holdsAny,
  isGrant,
  isOwnScope,
  role,
  userIdHeader,
  userIdHeaderAliases,
  userStatus,
  type Access,
  type Grant,
  type OwnScope,
} from '@tollgate/contract'

import { lacksFactor } from '../accounts/factors/held-factors'
import { standingOf, storedGrants } from '../accounts/users/standing'
import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import { sessionHashOf } from '../accounts/sessions/session-cookie'
import { accessTokenOf, sessionHolder, tokenOwner } from '../accounts/sessions/sessions'
import type { Caller } from './handler'

/**
 * Resolves with the caller, if the route admits them. A session wins over an access token; role, grants, status and group are current.
 * Null for a guest where guests are welcome.
 * @throws AppError of the `auth.` family, `user.banned`, `user.deregistered`.
 */
export async function guard(
  ctx: Context,
  access: Access,
  request: Request,
  /** Called with the caller before it is decided whether they are admitted; may refuse them. */
  onIdentified: (caller: Caller) => Promise<void> = async () => {},
  /** Sessions may call it before their user has the second factor that the site requires. */
  isOpenWithoutFactor = false,
): Promise<Caller | null> {
  if (access === 'guest') return null
  if (access === 'optional') {
    const caller = await welcome(ctx, request)
    if (caller) await onIdentified(caller)
    return caller
  }
  const { user, isByAccessToken } = await identify(ctx, request)
  const caller = callerOf(user, isByAccessToken)
  await onIdentified(caller)
  checkUserHeader(request.headers, user.id, isByAccessToken)
  checkUser(user)
  admit(caller, access)
  if (!isByAccessToken && !isOpenWithoutFactor && (await lacksFactor(ctx, user)))
    throw new AppError('auth.factor_needed')
  return caller
}

function admit(caller: Caller, access: Exclude<Access, 'guest' | 'optional'>) {
  if (access === 'user') return
  if (typeof access === 'string' && isOwnScope(access)) requireScope(caller, access)
  else requireGrant(caller, access)
}

type User = NonNullable<Awaited<ReturnType<typeof tokenOwner>>>

async function identify(ctx: Context, request: Request): Promise<{ user: User; isByAccessToken: boolean }> {
  const holder = await holderOf(ctx, request)
  if (holder) return { user: holder, isByAccessToken: false }
  const accessToken = accessTokenOf(request.headers)
  if (accessToken === '') throw new AppError('auth.required')
  const owner = await tokenOwner(ctx, accessToken)
  if (!owner) throw new AppError('auth.token_invalid')
  return { user: owner, isByAccessToken: true }
}

async function holderOf(ctx: Context, request: Request): Promise<User | null> {
  const idHash = sessionHashOf(request)
  const holder = idHash === null ? null : await sessionHolder(ctx, idHash)
  return holder && { ...holder, scopes: null }
}

/** A page for everyone shows more to a signed-in user, and never fails because of the session. */
async function welcome(ctx: Context, request: Request): Promise<Caller | null> {
  const holder = await holderOf(ctx, request)
  const accessToken = holder ? '' : accessTokenOf(request.headers)
  const user = holder ?? (accessToken ? await tokenOwner(ctx, accessToken) : null)
  if (!user || user.deleted_at !== null || user.status !== userStatus.enabled) return null
  return callerOf(user, holder === null)
}

/**
 * A cookie is shared by all tabs: the header says which user a tab acts for, and as a custom header it keeps other sites from making calls
 * with the cookie.
 */
function checkUserHeader(headers: Headers, userId: number, isByAccessToken: boolean) {
  const text = [userIdHeader, ...userIdHeaderAliases].map((name) => headers.get(name)).find((value) => value !== null)
  if (text === undefined || text === null) {
    if (isByAccessToken) return
    throw new AppError('auth.header_missing')
  }
  if (!/^\d{1,16}$/.test(text)) throw new AppError('auth.header_invalid')
  if (Number(text) !== userId) throw new AppError('auth.header_mismatch')
}

const knownRoles: ReadonlySet<number> = new Set([role.user, role.admin, role.root])

function checkUser(user: User) {
  if (user.deleted_at !== null) throw new AppError('user.deregistered')
  if (user.status !== userStatus.enabled) throw new AppError('user.banned')
  if (!knownRoles.has(user.role)) throw new AppError('auth.user_invalid')
}

function callerOf(user: User, isByAccessToken: boolean): Caller {
  const { rank, grants } = standingOf(user)
  const scopes = storedGrants(user.scopes)
  return {
    userId: user.id,
    username: user.username,
    role: user.role,
    rank,
    // A token loses what its owner has lost.
    grants: scopes === null ? grants : new Set(scopes.filter(isGrant).filter((grant) => grants.has(grant))),
    group: user.group,
    isByAccessToken,
    scopes: scopes === null ? null : new Set(scopes.filter(isOwnScope)),
  }
}

type ScopedCaller = Pick<Caller, 'scopes'>

/** Returns whether a caller may do this with their own things: with a session, with an access token that is not narrowed, or by its scope. */
export const hasScope = ({ scopes }: ScopedCaller, scope: OwnScope): boolean => scopes === null || scopes.has(scope)

/** @throws AppError `auth.scope`. */
function requireScope(caller: ScopedCaller, scope: OwnScope): void {
  if (!hasScope(caller, scope)) throw new AppError('auth.scope', { params: { scope } })
}

/**
 * Refuses a caller who has none of the grants. Guards call it with what the route declares, handlers with what the input requires in
 * addition.
 * @throws AppError `auth.forbidden`.
 */
export function requireGrant({ grants }: Pick<Caller, 'grants'>, required: Grant | readonly Grant[]): void {
  if (!holdsAny(grants, required)) throw new AppError('auth.forbidden')
}
