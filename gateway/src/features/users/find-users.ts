import { pageOf, role } from '@tollgate/contract'
import type { userRoutes } from '@tollgate/contract'
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'

import { entityColumns, userEntities } from '../../accounts/user-entity'
import { AppError } from '../../app-error'
import type { Context } from '../../context'
import type { Caller } from '../../http/handler'
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
  const found = ctx.database.query.selectFrom('users').where((eb) => eb.and(conditions(eb, caller, query)))
  const rows = await found.select(entityColumns).orderBy('id', 'desc').limit(size).offset(offset).execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: await userEntities(rows, ctx.ledger), page, page_size: size, total }
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
  const texts = (['username', 'email', 'display_name'] as const).map((column) =>
    containing(sql.ref(`users.${column}`), keyword),
  )
  const isId = /^\d{1,15}$/.test(keyword)
  return eb.or(isId ? [...texts, eb('id', '=', Number(keyword))] : texts)
}

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
