import { pageOf, tokenStatus, type RouteInput, type tokenRoutes } from '@tollgate/contract'
import { sql, type RawBuilder, type SqlBool } from 'kysely'

import { userIdOf } from '../../accounts/users/usernames'
import type { Call } from '../../http/handler'
import { keysNearLimit } from '../../billing/ledger/window/near-limit'
import { sumLeases } from '../../billing/ledger/balances'
import { containing, equalFolded } from '../../platform/store/like'
import { listOrder } from '../../platform/store/list-order'
import { readableUsers } from '../../accounts/users/known-users'
import { maskedKeys } from './token-keys'
import { tokenEntities } from './token-entity'

type Query = RouteInput<typeof tokenRoutes.listAllTokens>['query']

const balance = sql`remain_quota + ${sumLeases('token', 'tokens.id')}`
const group = sql<string>`case when ${sql.ref('tokens.group')} = '' then ${sql.ref('users.group')} else ${sql.ref('tokens.group')} end`

const values = {
  name: sql`lower(name)`,
  user: sql`lower(username)`,
  created: sql`created_time`,
  used: sql`nullif(accessed_time, 0)`,
  spent: sql`tokens.used_quota`,
  left: sql`case when unlimited_quota = 0 then ${balance} end`,
  expires: sql`nullif(expired_time, -1)`,
} satisfies Record<tokenRoutes.AnyTokenSorting, RawBuilder<unknown>>

/** Resolves with a page of the tokens of all users whose accounts the caller may read. */
export async function findAllTokens(query: Query, { ctx, caller }: Call<'user'>) {
  const { keyword, username, status, group: requestedGroup, near_limit: isNear, sort, descending: isDescending } = query
  const { page, size, offset } = pageOf(query, 0)
  const { database } = ctx
  const isReadable = await readableUsers(ctx, caller, {})
  const userId = await userIdOf(database.query, username)
  const now = ctx.clock.seconds()
  const owners = database.query.selectFrom('users').select('id').where(isReadable)
  const found = database.query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .where('tokens.deleted_at', 'is', null)
    .where('tokens.user_id', 'in', owners)
    .$if(userId !== undefined, (rows) => rows.where('tokens.user_id', '=', userId ?? -1))
    .$if(Boolean(keyword), (rows) => rows.where(isNamed(keyword ?? '', containing)))
    .$if(Boolean(requestedGroup), (rows) => rows.where(group, '=', requestedGroup ?? ''))
    .$if(Boolean(isNear), (rows) => rows.where('tokens.id', 'in', keysNearLimit(now)))
    .$if(Boolean(status), (rows) => rows.where(sql<number>`${statusAt(now)}`, '=', status ?? 0))
  const order = listOrder({
    by: sort && values[sort],
    isDescending,
    first: keyword ? isNamed(keyword, equalFolded) : undefined,
    id: sql.ref('tokens.id'),
  })
  const rows = await found
    .selectAll('tokens')
    .select(['users.username', group.as('effective_group')])
    .orderBy(order)
    .limit(size)
    .offset(offset)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const tokens = await tokenEntities(ctx, rows, maskedKeys(ctx))
  const items = tokens.map((token, index) => ({
    ...token,
    username: rows[index]?.username ?? '',
    effective_group: rows[index]?.effective_group ?? '',
  }))
  return { items, page, page_size: size, total }
}

function isNamed(keyword: string, matches: typeof containing): RawBuilder<SqlBool> {
  const isId = /^\d{1,15}$/.test(keyword)
  return sql<SqlBool>`(${matches(sql.ref('tokens.name'), keyword)} or ${matches(sql.ref('users.username'), keyword)}
    ${isId ? sql`or tokens.id = ${Number(keyword)}` : sql``})`
}

/** The same rules as `statusNow`. */
const statusAt = (now: number) => sql`case
  when tokens.status = ${sql.lit(tokenStatus.disabled)} then ${sql.lit(tokenStatus.disabled)}
  when expired_time <> -1 and expired_time <= ${now} then ${sql.lit(tokenStatus.expired)}
  when unlimited_quota = 0 and ${balance} <= 0 then ${sql.lit(tokenStatus.exhausted)}
  else ${sql.lit(tokenStatus.enabled)} end`
