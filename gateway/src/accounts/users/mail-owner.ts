import { sql } from 'kysely'

import type { Queries, Transaction } from '../../platform/store/database'

/**
 * Resolves with the owner of a mail address; also a closed account, which keeps it. Of several, which earlier releases allowed, the open
 * account.
 */
export const mailOwner = (query: Queries | Transaction, address: string) =>
  query
    .selectFrom('users')
    .select(['id', 'username', 'role', 'status', 'setting', 'deleted_at'])
    .where('email', 'is not', null)
    .where(sql<boolean>`lower(email) = ${address.toLowerCase()}`)
    .orderBy(sql`case when deleted_at is null then 0 else 1 end`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
