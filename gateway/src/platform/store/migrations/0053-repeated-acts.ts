import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/** What console calls that named a key were answered with, and the few orders that a job looks for. */
export const repeatedActs: NumberedMigration = {
  name: '0053-repeated-acts',
  async up(db) {
    await sql`create table keyed_acts (
      id_hash text primary key,
      input_hash text not null,
      request_id text not null,
      answer_sealed text not null default '',
      created_at bigint not null
    )`.execute(db)
    await sql`create index keyed_acts_time on keyed_acts (created_at)`.execute(db)
    await sql`create index orders_marked on orders (problem) where problem != ''`.execute(db)
  },
}
