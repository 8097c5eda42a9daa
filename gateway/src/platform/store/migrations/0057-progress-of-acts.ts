import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Whether what a call with a key changes is in the database: written in the same transaction. Empty: by a release that did not say. */
export const progressOfActs: NumberedMigration = {
  name: '0057-progress-of-acts',
  async up(db) {
    await sql`alter table keyed_acts add column progress text not null default ''`.execute(db)
  },
}
