import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** What the earlier terms of a subscription used of a period, and an order in which periods are read a part at a time. */
export const windowPeriods: NumberedMigration = {
  name: '0066-window-periods',
  up: (db) =>
    runAll(db, [
      sql`alter table window_periods add column used_before bigint not null default 0`,
      sql`create index window_periods_in_order on window_periods (ends_at, id)`,
      sql`drop index window_periods_by_end`,
    ]),
}
