import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** One sealed text by which a node finds out, at its start and while it runs, whether it has the key of the others. */
export const secretProbes: NumberedMigration = {
  name: '0010-secret-probes',
  async up(db) {
    await sql`create table secret_probes (
      id integer primary key,
      sealed text not null
    )`.execute(db)
  },
}
