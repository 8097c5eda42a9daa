import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * Sums of thirds of days and of weeks, made of those by one column and by two. They are in the same tables under numbers of their own, so
 * that earlier releases do not see them. A job fills them; a worker that adds late charges to them has 2 in the list of workers.
 */
export const longerSums: NumberedMigration = {
  name: '0007-longer-sums',
  async up(db) {
    await sql`insert into usage_folds (dimension, until) values
      (101, 0), (102, 0), (103, 0), (104, 0),
      (112, 0), (113, 0), (114, 0), (121, 0), (123, 0), (124, 0), (141, 0), (142, 0), (143, 0)`.execute(db)
  },
}
