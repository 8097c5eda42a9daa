import { isWithinReach, mayTouch, role, userStatus, type Standing, type userRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely'

import { usersNearLimit } from '../../billing/ledger/window/near-limit'
import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import { beginningFolded, containing, containingFolded } from '../../platform/store/like'
import type { Tables } from '../../platform/store/tables'
import { standingOf, type StoredStanding } from './standing'

/** The reader of users. */
interface Caller extends Standing {
  readonly userId: number
}

/** The filters of users. */
export interface UserFilter {
  readonly keyword?: string
  readonly group?: string
  readonly status?: userRoutes.UserState
  readonly role?: number
  /** Those who are near a limit. */
  readonly near_limit?: boolean
  /** These users alone. */
  readonly ids?: readonly number[]
}

type Builder = ExpressionBuilder<Tables, 'users'>
export type UserCondition = (eb: Builder) => Expression<SqlBool>

/** Returns whether a caller may see more of a user than the names. */
export function mayRead(caller: Caller, target: (StoredStanding & { readonly id: number }) | undefined): boolean {
  if (!target) return false
  if (target.id === caller.userId) return true
  return caller.grants.has('users.read') && isWithinReach(caller.rank, standingOf(target).rank)
}

/** Returns a condition for users within the filters who are visible completely. */
export async function readableUsers(ctx: Context, caller: Caller, filter: UserFilter): Promise<UserCondition> {
  return readableBut(await usersOutOfReach(ctx.database.query, caller), filter, ctx.clock.seconds())
}

/** Resolves with a condition for users whose accounts the caller may change. */
export async function changeableUsers(ctx: Context, caller: Caller): Promise<UserCondition> {
  const others = (await usersOfRank(ctx.database.query)).filter((user) => !mayTouch(caller, standingOf(user)))
  return readableBut(others, {}, ctx.clock.seconds())
}

/** Users who are visible at all. */
export interface KnownUsers {
  readonly isFound: UserCondition
  /** Only their names are visible: those with these ids, or everyone. */
  readonly namesOnly: readonly number[] | 'everyone'
}

/**
 * Resolves with the users within the filters who are visible at all. What is hidden about a user cannot be searched either: by mail
 * address, group, status, role and limits only those are found who are visible completely.
 */
export async function knownUsers(ctx: Context, caller: Caller, filter: UserFilter): Promise<KnownUsers> {
  if (!caller.grants.has('users.read')) return { isFound: (eb) => filterByName(eb, filter), namesOnly: 'everyone' }
  const others = await usersOutOfReach(ctx.database.query, caller)
  const isRequested = ({ id }: RankedUser) => filter.ids?.includes(id) ?? true
  const found = others
    .filter((user) => !hidesNames(filter) && isNamed(user, filter.keyword) && isRequested(user))
    .map(({ id }) => id)
  const readable = readableBut(others, filter, ctx.clock.seconds())
  const isFound: UserCondition = found.length > 0 ? (eb) => eb.or([readable(eb), eb('id', 'in', found)]) : readable
  return { isFound, namesOnly: found }
}

const hidesNames = ({ group, status, role, near_limit: isNear }: UserFilter) =>
  Boolean(group || status || role || isNear)

const readableBut =
  (
    others: readonly RankedUser[],
    { keyword, group, status, role, near_limit: isNear, ids }: UserFilter,
    now: number,
  ): UserCondition =>
  (eb) => {
    const hidden = others.map(({ id }) => id)
    return eb.and([
      ...(ids ? [isAmong(eb, ids)] : []),
      ...(group ? [eb('group', '=', group)] : []),
      ...(status ? [hasState(eb, status)] : []),
      ...(role ? [eb('role', '=', role)] : []),
      ...(isNear ? [eb('id', 'in', usersNearLimit(now))] : []),
      ...(keyword ? [matching(eb, keyword)] : []),
      ...(hidden.length > 0 ? [eb('id', 'not in', hidden)] : []),
    ])
  }

const isAmong = (eb: Builder, ids: readonly number[]) => (ids.length > 0 ? eb('id', 'in', [...ids]) : eb.lit(false))

function hasState(eb: Builder, state: userRoutes.UserState): Expression<SqlBool> {
  if (state === 'closed') return eb('deleted_at', 'is not', null)
  const isEnabled = eb('status', '=', userStatus.enabled)
  return eb.and([eb('deleted_at', 'is', null), state === 'enabled' ? isEnabled : eb.not(isEnabled)])
}

/** Accounts with a role or grants that are not below the caller: a few, found in an index of their own. */
async function usersOutOfReach(queries: Queries, caller: Caller): Promise<RankedUser[]> {
  if (caller.rank >= role.root) return []
  return (await usersOfRank(queries)).filter((user) => !mayRead(caller, user))
}

const usersOfRank = (queries: Queries) =>
  queries
    .selectFrom('users')
    .select(['id', 'username', 'display_name', 'role', 'grants', 'deleted_at'])
    // Repeats the expression of the index.
    .where(sql<SqlBool>`(role >= 10 or grants is not null)`)
    .execute()

type RankedUser = Awaited<ReturnType<typeof usersOfRank>>[number]

function isNamed({ id, username, display_name, deleted_at }: RankedUser, keyword = ''): boolean {
  if (deleted_at !== null) return false
  const searchTerm = keyword.toLowerCase()
  return String(id) === searchTerm || [username, display_name].some((name) => name.toLowerCase().includes(searchTerm))
}

/** Open accounts by what every caller of the list may see: id, name and display name. */
function filterByName(eb: Builder, filter: UserFilter): Expression<SqlBool> {
  const { keyword, ids } = filter
  const isOpen = eb.and([eb('deleted_at', 'is', null), ...(ids ? [isAmong(eb, ids)] : [])])
  if (hidesNames(filter)) return eb.lit(false)
  if (!keyword) return isOpen
  const names = sql<string>`username || ${separator} || display_name`
  const isFound = containing(names, keyword.replaceAll(separator, ' '))
  return eb.and([isOpen, matching(eb, keyword), eb.or([isFound, ...idIs(eb, keyword)])])
}

const matching = (eb: Builder, keyword: string) =>
  eb.or([containingFolded(eb.ref('search_text'), keyword.replaceAll(separator, ' ')), ...idIs(eb, keyword)])

const idIs = (eb: Builder, keyword: string) => (/^\d{1,15}$/.test(keyword) ? [eb('id', '=', Number(keyword))] : [])

/** Returns a condition for the user whose id or whole name the keyword is: it comes first. The name is the first of the texts. */
export const isExactly = (keyword: string): RawBuilder<SqlBool> =>
  /^\d{1,15}$/.test(keyword)
    ? sql`(id = ${Number(keyword)} or ${beginningFolded(sql.ref('search_text'), `${keyword}${separator}`)})`
    : beginningFolded(sql.ref('search_text'), `${keyword.replaceAll(separator, ' ')}${separator}`)

/** Separates the texts of a user. It cannot be typed, so no keyword matches across two of them. */
const separator = '\u001f'
