import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** The rights of an account where they differ from its role's, and an index of the few that are more than plain users. */
export const userGrants: NumberedMigration = {
  name: '0018-user-grants',
  async up(db) {
    await sql`alter table users add column grants text`.execute(db)
    await sql`create index users_of_rank on users (role, id) where role >= 10 or grants is not null`.execute(db)
  },
}
