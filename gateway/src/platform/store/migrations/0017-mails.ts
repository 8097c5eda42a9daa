import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Queued mails, and for a few days their outcome. An index finds the owner of an address, of closed accounts too. */
export const mails: NumberedMigration = {
  name: '0017-mails',
  async up(db) {
    await sql`create table mails (
      id text primary key,
      kind text not null,
      recipient text not null,
      language text not null,
      params text not null,
      attempts bigint not null default 0,
      failure text not null default '',
      created_at bigint not null,
      expires_at bigint not null,
      due_at bigint,
      sent_at bigint
    )`.execute(db)
    await sql`create index mails_due on mails (due_at) where due_at is not null`.execute(db)
    await sql`create index mails_by_time on mails (created_at)`.execute(db)
    await sql`create index users_mail on users (lower(email)) where email is not null`.execute(db)
  },
}
