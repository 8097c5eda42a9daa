import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Orders within a span of time are found and counted without reading the others. */
export const ordersByTime: NumberedMigration = {
  name: '0039-orders-by-time',
  async up(db) {
    await sql`create index orders_by_time on orders (created_at)`.execute(db)
  },
}
