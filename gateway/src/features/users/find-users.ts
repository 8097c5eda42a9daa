import { pageOf, type userRoutes } from '@tollgate/contract'

import { entityColumns, userEntities } from '../../accounts/users/user-entity'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'
import { knownUsers, mayRead, type UserCondition, type UserFilter } from './known-users'

export interface UserQuery extends UserFilter {
  readonly p?: number
  readonly page_size?: number
  readonly size?: number
}

/** Resolves with a page of users, newest first: those below the caller completely, closed accounts included, others by their names. */
export async function findUsers(ctx: Context, caller: Caller, query: UserQuery) {
  const { page, size, offset } = pageOf(query)
  const { ids, total } = await matches(ctx.database.query, await knownUsers(ctx, caller, query), { size, offset })
  const rows = await ctx.database.query
    .selectFrom('users')
    .select(entityColumns)
    .where((eb) => (ids.length === 0 ? eb.lit(false) : eb('id', 'in', ids)))
    .orderBy('id', 'desc')
    .execute()
  const users = await userEntities(rows, ctx)
  const items = users.map((user, index) => (mayRead(caller, rows[index]) ? user : nameOf(user)))
  return { items, page, page_size: size, total }
}

/** Beyond this many rows it pays to count first and to walk to a page from the nearer end. */
const farOff = 200

/** Resolves with the ids of a page, and how many there are on all pages: counted only where the page itself does not tell. */
async function matches(queries: Queries, condition: UserCondition, { size, offset }: Part) {
  const found = queries.selectFrom('users').where(condition)
  const count = async () =>
    (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
  const idsOf = async (order: 'asc' | 'desc', limit: number, skipped: number) => {
    const page = await found.select('id').orderBy('id', order).limit(limit).offset(skipped).execute()
    return page.map(({ id }) => id)
  }
  if (offset > farOff) {
    const total = await count()
    const left = Math.max(total - offset, 0)
    const length = Math.min(size, left)
    if (offset <= left) return { ids: await idsOf('desc', length, offset), total }
    return { ids: (await idsOf('asc', length, left - length)).toReversed(), total }
  }
  const ids = await idsOf('desc', size, offset)
  const isLast = ids.length < size && (ids.length > 0 || offset === 0)
  return { ids, total: isLast ? offset + ids.length : await count() }
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
  const { row, user } = await found(ctx, userId)
  return mayRead(caller, row) ? user : nameOf(user)
}

/** Resolves with one user that the caller has just changed. @throws AppError `user.none`. */
export async function oneUser(ctx: Context, userId: number): Promise<userRoutes.UserEntity> {
  return (await found(ctx, userId)).user
}

async function found(ctx: Context, userId: number) {
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
