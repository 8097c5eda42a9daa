import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Error rows are on by default from here; a site that is set up already, and never chose, goes on without. */
export const errorRows: NumberedMigration = {
  name: '0044-error-rows',
  async up(db) {
    await sql`insert into options (key, value)
      select 'LogErrorEnabled', 'false' from setups where id = 1
      on conflict (key) do nothing`.execute(db)
  },
}
