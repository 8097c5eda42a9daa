import { userStatus, daySeconds, type messageRoutes } from '@tollgate/contract'
import { sql, type SqlBool } from 'kysely'

import type { Queries, Transaction } from '../../platform/store/database'
import type { Pace } from '../../platform/store/pace'
import type { MessageRow } from '../../platform/store/tables'

/** An audience as the row of its message has it. */
export type StoredAudience = Pick<MessageRow, 'audience' | 'audience_value' | 'last_user_id' | 'created_at'>

/** Users of a model are those who called it within this time before a message was sent. */
const modelSeconds = 30 * daySeconds
/** Ids that one statement names. */
export const idsAtOnce = 1000

/** Returns the columns of an audience. */
export const audienceColumns = (audience: messageRoutes.MessageAudience) => ({
  audience: audience.kind,
  audience_value: valueOf(audience),
})

function valueOf(audience: messageRoutes.MessageAudience): string {
  if (audience.kind === 'group') return audience.group
  if (audience.kind === 'role') return String(audience.role)
  return audience.kind === 'model' ? audience.model : ''
}

/** Returns a condition that the user of a row belongs to an audience. */
function isMember({ audience, audience_value: value, created_at: sentAt }: StoredAudience) {
  if (audience === 'all') return sql<SqlBool>`1 = 1`
  if (audience === 'group') return sql<SqlBool>`users."group" = ${value}`
  if (audience === 'role') return sql<SqlBool>`users.role = ${Number(value)}`
  return sql<SqlBool>`exists (select 1 from rollups where rollups.user_id = users.id
    and rollups.hour >= ${sentAt - modelSeconds} and rollups.model_name = ${value})`
}

/** Some accounts by id: at most `limit` after `after`, whether they belong to an audience or not. */
interface Stretch {
  readonly after: number
  readonly limit: number
}

interface Members {
  readonly members: readonly { readonly id: number; readonly has_mail: number }[]
  /** The last account that was read; null: there are no more. */
  readonly last: number | null
}

/** Whether a copy can go there: closed and disabled accounts get none. */
const hasMail = sql<number>`case when coalesce(users.email, '') <> '' and users.status = ${sql.lit(userStatus.enabled)}
  then 1 else 0 end`

/** Resolves with the members of an audience among the next accounts. Closed accounts are not members. */
export async function nextMembers(
  query: Queries | Transaction,
  audience: StoredAudience,
  { after, limit }: Stretch,
): Promise<Members> {
  const rows = await query
    .selectFrom('users')
    .select('users.id')
    .select([
      hasMail.as('has_mail'),
      sql<number>`case when users.deleted_at is null and ${isMember(audience)} then 1 else 0 end`.as('is_member'),
    ])
    .where('users.id', '>', after)
    .where('users.id', '<=', audience.last_user_id)
    .orderBy('users.id')
    .limit(limit)
    .execute()
  return {
    members: rows.filter(({ is_member: isIn }) => isIn === 1),
    last: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
  }
}

/** Resolves with how many accounts belong to an audience now, and how many of them a copy by mail would reach. */
export async function audienceSize(query: Queries, audience: StoredAudience, pace: Pace) {
  let [count, withMail] = [0, 0]
  let after: number | null = 0
  while (after !== null) {
    const stretch: Stretch = { after, limit: pace.rows }
    const { members, last } = await pace.part(() => nextMembers(query, audience, stretch))
    count += members.length
    withMail += members.filter(({ has_mail: has }) => has === 1).length
    after = last
  }
  return { count, with_mail: withMail }
}

/** Resolves with the ids of those accounts that are not closed. */
export async function openAccounts(query: Queries | Transaction, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const rows = await query
      .selectFrom('users')
      .select('id')
      .where('id', 'in', ids.slice(start, start + idsAtOnce))
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}

/** Resolves with the newest account: later ones are not among the recipients of a message that is sent now. */
export async function lastUserId(query: Queries): Promise<number> {
  const row = await query
    .selectFrom('users')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}
