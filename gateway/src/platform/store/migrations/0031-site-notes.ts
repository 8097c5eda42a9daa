import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** The gateway's notes on its own work. */
export const siteNotes: NumberedMigration = {
  name: '0031-site-notes',
  async up(db) {
    await sql`create table site_notes (
      name text primary key,
      value text not null,
      updated_at bigint not null
    )`.execute(db)
  },
}
