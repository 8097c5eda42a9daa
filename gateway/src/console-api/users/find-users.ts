import { pageOf, userRoutes } from '@tollgate/contract'

import { lastDays, readSumProgress } from '../../billing/analytics/rollups'
import { sumsByKey } from '../../billing/analytics/query'
import { entityColumns, userEntities } from '../../accounts/users/user-entity'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../platform/store/database'
import { listOrder, type ListOrder } from '../../platform/store/list-order'
import { isExactly, knownUsers, mayRead, type KnownUsers, type UserFilter } from '../../accounts/users/known-users'
import { sortValue } from './sort-users'

export interface UserQuery extends UserFilter {
  readonly p?: number
  readonly page_size?: number
  readonly size?: number
  readonly sort?: userRoutes.UserSort
  readonly descending?: boolean
}

/**
 * Resolves with a page of users: newest first, exact matches of a search before others, or as `sort` says; those below the caller
 * completely, closed accounts included, others by their names.
 */
export async function findUsers(ctx: Context, caller: Caller, query: UserQuery) {
  const { page, size, offset } = pageOf(query)
  const { ids, total } = await pageOfIds(ctx, await knownUsers(ctx, caller, query), query, { size, offset })
  const rows = await ctx.database.query
    .selectFrom('users')
    .select(entityColumns)
    .where((eb) => (ids.length === 0 ? eb.lit(false) : eb('id', 'in', ids)))
    .execute()
  const positions = new Map(ids.map((id, index) => [id, index]))
  rows.sort((one, other) => (positions.get(one.id) ?? 0) - (positions.get(other.id) ?? 0))
  const users = await userEntities(rows, ctx)
  const items = users.map((user, index) => (mayRead(caller, rows[index]) ? user : nameOf(user)))
  return { items, page, page_size: size, total }
}

interface Found {
  readonly ids: readonly number[]
  /** On all pages. */
  readonly total: number
}

async function pageOfIds(ctx: Context, known: KnownUsers, query: UserQuery, part: Part): Promise<Found> {
  const { sort, descending: isDescending = false, keyword } = query
  if (sort === 'month') return bySpending(ctx, known, isDescending, part)
  const by = sort && sortValue(sort, known)
  if (by) return inOrder(ctx.database.query, known, { by, isDescending }, part)
  return keyword
    ? inOrder(ctx.database.query, known, { first: isExactly(keyword) }, part)
    : newestFirst(ctx.database.query, known, part)
}

const selectFound = (queries: Queries, { isFound }: KnownUsers) => queries.selectFrom('users').where(isFound)

const countOf = async (queries: Queries, known: KnownUsers) => {
  const { total } = await selectFound(queries, known)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Reads the value of all users that match: figures change with every call, which an index of each would make dearer. */
async function inOrder(queries: Queries, known: KnownUsers, order: ListOrder, { size, offset }: Part): Promise<Found> {
  const page = await selectFound(queries, known)
    .select('id')
    .orderBy(listOrder(order))
    .limit(size)
    .offset(offset)
    .execute()
  return { ids: page.map(({ id }) => id), total: await countOf(queries, known) }
}

/** The sums of a month are not in the database's reach of an order; few users have any. */
async function bySpending(
  ctx: Context,
  known: KnownUsers,
  isDescending: boolean,
  { size, offset }: Part,
): Promise<Found> {
  const { query } = ctx.database
  const usageQuery = { filter: {}, hours: lastDays(userRoutes.usageDays, ctx.clock.now()), column: 'user_id' } as const
  const spent = await sumsByKey(await readSumProgress(query), usageQuery)
  const ids = (await selectFound(query, known).select('id').orderBy('id', 'desc').execute()).map(({ id }) => id)
  const hidden = new Set(known.namesOnly === 'everyone' ? ids : known.namesOnly)
  const valueOf = (id: number) => spent.get(String(id))?.quota ?? 0
  const direction = isDescending ? -1 : 1
  const ordered = ids.toSorted((one, other) =>
    hidden.has(one) || hidden.has(other)
      ? Number(hidden.has(one)) - Number(hidden.has(other))
      : direction * (valueOf(one) - valueOf(other)),
  )
  return { ids: ordered.slice(offset, offset + size), total: ids.length }
}

/** Beyond this many rows it pays to count first and to walk to a page from the nearer end. */
const farOff = 200

/** Counts all pages only where the page itself does not tell. */
async function newestFirst(queries: Queries, known: KnownUsers, { size, offset }: Part): Promise<Found> {
  const idsOf = async (order: 'asc' | 'desc', limit: number, skipped: number) => {
    const page = await selectFound(queries, known)
      .select('id')
      .orderBy('id', order)
      .limit(limit)
      .offset(skipped)
      .execute()
    return page.map(({ id }) => id)
  }
  if (offset > farOff) {
    const total = await countOf(queries, known)
    const left = Math.max(total - offset, 0)
    const length = Math.min(size, left)
    if (offset <= left) return { ids: await idsOf('desc', length, offset), total }
    return { ids: (await idsOf('asc', length, left - length)).toReversed(), total }
  }
  const ids = await idsOf('desc', size, offset)
  const isLast = ids.length < size && (ids.length > 0 || offset === 0)
  return { ids, total: isLast ? offset + ids.length : await countOf(queries, known) }
}

interface Part {
  readonly size: number
  readonly offset: number
}

const nameOf = ({ id, username, display_name }: userRoutes.UserEntity): userRoutes.UserName => ({
  id,
  username,
  display_name,
})

/** Resolves with one user who is not deleted, as far as the caller may see the account. @throws AppError `user.none`. */
export async function readUser(ctx: Context, caller: Caller, userId: number): Promise<userRoutes.KnownUser> {
  const { row, user } = await requireUser(ctx, userId)
  return mayRead(caller, row) ? user : nameOf(user)
}

/** Resolves with one user that the caller has just changed. @throws AppError `user.none`. */
export async function oneUser(ctx: Context, userId: number): Promise<userRoutes.UserEntity> {
  return (await requireUser(ctx, userId)).user
}

async function requireUser(ctx: Context, userId: number) {
  const row = await ctx.database.query
    .selectFrom('users')
    .select(entityColumns)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('user.none')
  const [user] = await userEntities([row], ctx)
  if (!user) throw new AppError('user.none')
  return { row, user }
}
