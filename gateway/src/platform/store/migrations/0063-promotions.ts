import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** Bonuses on top-ups, commissions for inviters, and redeemed quota that expires. */
export const promotions: NumberedMigration = {
  name: '0063-promotions',
  up: (db) =>
    runAll(db, [
      sql`alter table users add column is_returning bigint not null default 0`,
      sql`alter table orders add column bonus bigint not null default 0`,
      sql`alter table orders add column once_tier bigint not null default 0`,
      sql`alter table orders add column bonus_credited bigint not null default 0`,
      sql`alter table orders add column bonus_taken bigint not null default 0`,
      sql`alter table redemption_codes add column kind text not null default 'quota'`,
      sql`alter table redemption_codes add column quota_days bigint not null default 0`,
      sql`create table commissions (
        order_number text primary key,
        inviter_id bigint not null,
        invitee_id bigint not null,
        amount bigint not null,
        taken bigint not null default 0,
        credits bigint not null default 0,
        state text not null,
        created_at bigint not null,
        due_at bigint
      )`,
      // The few that a job looks for.
      sql`create index commissions_due on commissions (due_at) where due_at is not null`,
      sql`create index commissions_by_inviter on commissions (inviter_id, created_at)`,
      sql`create table expiring_quota (
        redemption_id bigint not null,
        user_id bigint not null,
        quota bigint not null,
        unspent bigint not null,
        counted_until bigint not null,
        created_at bigint not null,
        ends_at bigint not null,
        ended_at bigint,
        primary key (redemption_id, user_id)
      )`,
      sql`create index expiring_quota_due on expiring_quota (ends_at) where ended_at is null`,
      sql`create index expiring_quota_by_user on expiring_quota (user_id) where ended_at is null`,
    ]),
}
