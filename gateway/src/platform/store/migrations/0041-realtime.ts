import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Secrets of clients for realtime sessions, and the sessions that are open. */
export const realtime: NumberedMigration = {
  name: '0041-realtime',
  async up(db) {
    await sql`create table realtime_secrets (
      hash text primary key,
      sealed text not null,
      expires_at bigint not null
    )`.execute(db)
    await sql`create index realtime_secrets_expiry on realtime_secrets (expires_at)`.execute(db)
    await sql`create table realtime_sessions (
      id text primary key,
      user_id bigint not null,
      token_id bigint not null,
      seen_at bigint not null
    )`.execute(db)
    await sql`create index realtime_sessions_user on realtime_sessions (user_id, seen_at)`.execute(db)
  },
}
