import { isWithinReach, role } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { standingOf, type StoredStanding } from '../../accounts/users/standing'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'
import { containing, containingFolded } from '../../store/like'
import type { Tables } from '../../store/tables'

/** The filters of users. */
export interface UserFilter {
  readonly keyword?: string
  readonly group?: string
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
  return readableBut(await usersOutOfReach(ctx.database.query, caller), filter)
}

/**
 * Returns a condition for users within the filters who are visible at all. What is hidden about a user cannot be searched either: by mail
 * address and group only those are found who are visible completely.
 */
export async function knownUsers(ctx: Context, caller: Caller, filter: UserFilter): Promise<UserCondition> {
  if (!caller.grants.has('users.read')) return (eb) => named(eb, filter)
  const others = await usersOutOfReach(ctx.database.query, caller)
  const found = others.filter((user) => !filter.group && isNamed(user, filter.keyword)).map(({ id }) => id)
  const readable = readableBut(others, filter)
  return found.length > 0 ? (eb) => eb.or([readable(eb), eb('id', 'in', found)]) : readable
}

const readableBut =
  (others: readonly RankedUser[], { keyword, group }: UserFilter): UserCondition =>
  (eb) => {
    const hidden = others.map(({ id }) => id)
    return eb.and([
      ...(group ? [eb('group', '=', group)] : []),
      ...(keyword ? [matching(eb, keyword)] : []),
      ...(hidden.length > 0 ? [eb('id', 'not in', hidden)] : []),
    ])
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
  const wanted = keyword.toLowerCase()
  return String(id) === wanted || [username, display_name].some((name) => name.toLowerCase().includes(wanted))
}

/** Open accounts by what every caller of the list may see: id, name and display name. */
function named(eb: Builder, { keyword, group }: UserFilter): Expression<SqlBool> {
  const isOpen = eb('deleted_at', 'is', null)
  if (group) return eb.lit(false)
  if (!keyword) return isOpen
  const names = sql<string>`username || ${separator} || display_name`
  const isFound = containing(names, keyword.replaceAll(separator, ' '))
  return eb.and([isOpen, matching(eb, keyword), eb.or([isFound, ...idIs(eb, keyword)])])
}

const matching = (eb: Builder, keyword: string) =>
  eb.or([containingFolded(eb.ref('search_text'), keyword.replaceAll(separator, ' ')), ...idIs(eb, keyword)])

const idIs = (eb: Builder, keyword: string) => (/^\d{1,15}$/.test(keyword) ? [eb('id', '=', Number(keyword))] : [])

/** Separates the texts of a user. It cannot be typed, so no keyword matches across two of them. */
const separator = '\u001f'
