import { pageOf, role } from '@tollgate/contract'
import type { userRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { entityColumns, userEntities } from '../../accounts/user-entity'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
import type { Queries } from '../../store/database'
import { containing } from '../../store/like'
import type { Tables } from '../../store/tables'
import { refuseOutOfReach } from './rank'

export interface UserQuery {
  readonly p?: number
  readonly page_size?: number
  readonly size?: number
  readonly keyword?: string
  readonly group?: string
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
  return { items: await userEntities(rows, ctx.ledger), page, page_size: size, total }
}

/**
 * The ids of a page, and how many there are on all pages. Texts are in no index, so all users are looked at, but once; twice
 * only for a page beyond the last.
 */
async function matches(queries: Queries, caller: Caller, query: UserQuery, { size, offset }: Part) {
  const found = queries.selectFrom('users').where((eb) => eb.and(conditions(eb, caller, query)))
  const page = found.select('id').orderBy('id', 'desc').limit(size).offset(offset)
  const counted = query.keyword
    ? await page.select((eb) => eb.fn.countAll<number>().over().as('total')).execute()
    : await page.select((eb) => eb.lit(null).as('total')).execute()
  const count = async () =>
    (await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total
  const [first] = counted
  const total = first || offset > 0 ? first?.total : 0
  return { ids: counted.map(({ id }) => id), total: total ?? (await count()) }
}

interface Part {
  readonly size: number
  readonly offset: number
}

function conditions(
  eb: ExpressionBuilder<Tables, 'users'>,
  caller: Caller,
  { keyword, group }: UserQuery,
): Expression<SqlBool>[] {
  const wanted: Expression<SqlBool>[] = []
  // What cannot be opened is not listed either: a search by mail address would tell it.
  if (caller.role < role.root) wanted.push(eb.or([eb('role', '<', caller.role), eb('id', '=', caller.userId)]))
  if (group) wanted.push(eb('group', '=', group))
  if (keyword) wanted.push(matching(eb, keyword))
  return wanted
}

function matching(eb: ExpressionBuilder<Tables, 'users'>, keyword: string) {
  // Folding the case is what takes the time: it is done once for all texts of a user.
  const texts = sql<string>`username || ${separator} || coalesce(email, '') || ${separator} || display_name`
  const isFound = containing(texts, keyword.replaceAll(separator, ' '))
  const isId = /^\d{1,15}$/.test(keyword)
  return isId ? eb.or([isFound, eb('id', '=', Number(keyword))]) : isFound
}

/** Nobody types it, so nothing that is looked for reaches from one text into the next. */
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
  const [entity] = await userEntities([row], ctx.ledger)
  if (!entity) throw new AppError('user.none')
  return entity
}
