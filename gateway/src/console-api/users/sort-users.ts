import type { userRoutes } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import { sumLeases } from '../../billing/ledger/balances'
import type { KnownUsers } from '../../accounts/users/known-users'

/** Sort orders that the database applies; spending of a month is added up first. */
type Sort = Exclude<userRoutes.UserSort, 'month'>

/** The last visit of the console or call with a key, in unix seconds; 0: never. */
export const seenAt = sql<number>`(select coalesce(max(at), 0) from (
  select max(last_seen_at) as at from sessions where user_id = users.id
  union all select max(accessed_time) from tokens where user_id = users.id) as seen)`

const values = {
  id: sql`id`,
  name: sql`lower(username)`,
  balance: sql`quota + ${sumLeases('user', 'users.id')}`,
  used: sql`used_quota`,
  requests: sql`request_count`,
  invited: sql`aff_count`,
  created: sql`created_at`,
  seen: seenAt,
} satisfies Record<Sort, RawBuilder<unknown>>

const isName = (sort: Sort) => sort === 'id' || sort === 'name'

/** Returns the value to sort users by. Those of whom only the name is visible have no other value, so their position tells nothing. */
export function sortValue(sort: Sort, { namesOnly }: Pick<KnownUsers, 'namesOnly'>): RawBuilder<unknown> | undefined {
  const value = values[sort]
  if (isName(sort) || namesOnly.length === 0) return value
  if (namesOnly === 'everyone') return undefined
  return sql`case when id not in (${sql.join([...namesOnly])}) then ${value} end`
}
