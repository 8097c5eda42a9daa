import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Why the last test of a channel failed; empty where it passed, or was made under an earlier release. */
export const failedTests: NumberedMigration = {
  name: '0055-failed-tests',
  async up(db) {
    await sql`alter table channels add column test_failure text not null default ''`.execute(db)
  },
}
