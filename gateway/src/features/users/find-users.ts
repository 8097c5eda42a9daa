import { pageOf, role } from '@tollgate/contract'
import type { userRoutes } from '@tollgate/contract'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'

import { entityColumns, userEntities } from '../../accounts/user-entity'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'
import { containingFolded } from '../../store/like'
import type { Tables } from '../../store/tables'
import { refuseOutOfReach } from './rank'

/** What users are found by. */
export interface UserFilter {
  readonly keyword?: string
  readonly group?: string
}

export interface UserQuery extends UserFilter {
  readonly p?: number
  readonly page_size?: number
  readonly size?: number
}

/** A page of the users the caller may read, newest first, closed accounts included. */
export async function findUsers(ctx: Context, caller: Caller, query: UserQuery) {
  const { page, size, offset } = pageOf(query)
  const { ids, total } = await matches(ctx.database.query, caller, query, { size, offset })
  const rows = await ctx.database.query
    .selectFrom('users')
    .select(entityColumns)
    .where((eb) => (ids.length === 0 ? eb.lit(false) : eb('id', 'in', ids)))
    .orderBy('id', 'desc')
    .execute()
  return { items: await userEntities(rows, ctx), page, page_size: size, total }
}

/** The ids of a page, and how many there are on all pages: counted only where the page itself does not tell. */
async function matches(queries: Queries, caller: Caller, query: UserQuery, { size, offset }: Part) {
  const found = queries.selectFrom('users').where((eb) => eb.and(userConditions(eb, caller, query)))
  const page = await found.select('id').orderBy('id', 'desc').limit(size).offset(offset).execute()
  const ids = page.map(({ id }) => id)
  const isLast = ids.length < size && (ids.length > 0 || offset === 0)
  if (isLast) return { ids, total: offset + ids.length }
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { ids, total }
}

interface Part {
  readonly size: number
  readonly offset: number
}

/** Users within the filters whom the caller may read. */
export function userConditions(
  eb: ExpressionBuilder<Tables, 'users'>,
  caller: Caller,
  { keyword, group }: UserFilter,
): Expression<SqlBool>[] {
  const wanted: Expression<SqlBool>[] = []
  // What cannot be opened is not listed either: a search by mail address would tell it.
  if (caller.role < role.root) wanted.push(eb.or([eb('role', '<', caller.role), eb('id', '=', caller.userId)]))
  if (group) wanted.push(eb('group', '=', group))
  if (keyword) wanted.push(matching(eb, keyword))
  return wanted
}

function matching(eb: ExpressionBuilder<Tables, 'users'>, keyword: string) {
  const isFound = containingFolded(eb.ref('search_text'), keyword.replaceAll(separator, ' '))
  const isId = /^\d{1,15}$/.test(keyword)
  return isId ? eb.or([isFound, eb('id', '=', Number(keyword))]) : isFound
}

/** Stands between the texts of a user. Nobody types it, so nothing that is looked for reaches from one into the next. */
const separator = '\u001f'

/**
 * One user who is not deleted.
 * @throws AppError `user.none`, `user.rank_read`.
 */
export async function oneUser(ctx: Context, caller: Caller, userId: number): Promise<userRoutes.UserEntity> {
  const row = await ctx.database.query
    .selectFrom('users')
    .select(entityColumns)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('user.none')
  refuseOutOfReach(caller.role, row.role, 'user.rank_read')
  const [entity] = await userEntities([row], ctx)
  if (!entity) throw new AppError('user.none')
  return entity
}
