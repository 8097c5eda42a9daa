import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Wrong guesses counted for all workers, and the devices that wrong guesses of others do not lock out. */
export const signInLimits: NumberedMigration = {
  name: '0011-sign-in-limits',
  async up(db) {
    await sql`create table limit_counts (
      key text primary key,
      count bigint not null,
      ends_at bigint not null
    )`.execute(db)
    await sql`create index limit_counts_by_end on limit_counts (ends_at)`.execute(db)
    await sql`create table known_devices (
      id_hash text not null,
      user_id bigint not null,
      created_at bigint not null,
      last_seen_at bigint not null,
      constraint known_devices_key primary key (id_hash, user_id)
    )`.execute(db)
    await sql`create index known_devices_by_user on known_devices (user_id)`.execute(db)
  },
}
