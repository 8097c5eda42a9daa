import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Who had the quota for new users: accounts at providers and mail addresses, kept when they are unlinked, changed or closed. */
export const newcomers: NumberedMigration = {
  name: '0045-newcomers',
  async up(db) {
    await sql`create table newcomers (
      kind text not null,
      name_hash text not null,
      created_at bigint not null,
      primary key (kind, name_hash)
    )`.execute(db)
  },
}
