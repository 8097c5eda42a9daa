import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** What vendors charge for calls, beside what the calls were sold for. Hours of earlier releases have neither. */
export const margins: NumberedMigration = {
  name: '0060-margins',
  async up(db) {
    for (const table of ['rollups', 'hourly_sums', 'daily_sums'])
      for (const column of ['sold', 'vendor_cost'])
        await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} bigint not null default 0`.execute(db)
  },
}
