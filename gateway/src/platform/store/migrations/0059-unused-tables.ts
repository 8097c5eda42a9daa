import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * Drops what no release reads any more: abilities, which followed from the channels, and the sums of releases before 0038 with the column
 * by which their workers were known. Sums that such a worker may have left behind are made again.
 */
export const unusedTables: NumberedMigration = {
  name: '0059-unused-tables.needs-0059',
  async up(db) {
    await sql`delete from stale_hours where ${hasEarlierSums}`.execute(db)
    await sql`update sum_progress set until = 0 where ${hasEarlierSums}`.execute(db)
    for (const name of ['abilities', 'usage_sums', 'usage_pairs', 'usage_folds'])
      await sql`drop table ${sql.table(name)}`.execute(db)
    await sql`alter table workers drop column adds_pairs`.execute(db)
  },
}

const hasEarlierSums = sql`(exists (select 1 from workers where adds_pairs >= 0)
  or exists (select 1 from usage_folds where until > 0))`
