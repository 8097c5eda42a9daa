import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * What each key was given, so that its quota can be checked. Keys that exist have what they are left, what is leased and held of it, and
 * what they used. And since when no row was removed from the log: since its first row.
 */
export const grantedQuotaOfKeys: NumberedMigration = {
  name: '0047-given-to-keys',
  async up(db) {
    await sql`alter table tokens add column granted_quota bigint`.execute(db)
    await sql`alter table tokens add column was_unlimited bigint not null default 0`.execute(db)
    await sql`update tokens set was_unlimited = unlimited_quota, granted_quota = remain_quota + used_quota
      + (select coalesce(sum(amount), 0) from leases where kind = 'token' and ref_id = tokens.id)
      + (select coalesce(sum(amount), 0) from holds where is_token_limited = 1 and token_id = tokens.id)`.execute(db)
    await sql`insert into site_notes (name, value, updated_at)
      select 'log-kept-since', cast(logs.created_at as text), logs.created_at from logs where type = 2
      order by logs.created_at, logs.id limit 1`.execute(db)
  },
}
