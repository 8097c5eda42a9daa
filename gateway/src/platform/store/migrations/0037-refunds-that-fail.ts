import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** Refunds that the payer's bank returned, and payments in progress. */
export const refundsThatFail: NumberedMigration = {
  name: '0037-refunds-that-fail',
  async up(db) {
    await sql`alter table orders add column refund_failed_minor bigint not null default 0`.execute(db)
    await sql`alter table orders add column under_way_at bigint not null default 0`.execute(db)
  },
}
