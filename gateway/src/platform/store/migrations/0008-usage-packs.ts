import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * What users used within one value of a column, packed: a row has the records of a day. A job fills them; a worker that adds late charges
 * to them has 3 in the list of workers.
 */
export const usagePacks: NumberedMigration = {
  name: '0008-usage-packs',
  async up(db, kind) {
    // A type of one name, so that both databases use the same statement; for SQLite it is a blob.
    if (kind === 'postgres') await sql`create domain tollgate_blob as bytea`.execute(db)
    await sql`create table usage_packs (
      pack integer not null,
      value text not null,
      day bigint not null,
      records tollgate_blob not null,
      constraint usage_packs_key primary key (pack, value, day)
    )`.execute(db)
    if (kind === 'postgres') {
      // They hardly shrink, and are rewritten every hour of their day.
      await sql`alter table usage_packs alter column records set storage external`.execute(db)
      const often = sql`autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_scale_factor = 0.01`
      await sql`alter table usage_packs set (${often})`.execute(db)
    }
    await sql`insert into usage_folds (dimension, until) values 
      (15, 0), (25, 0), (45, 0), (115, 0), (125, 0), (145, 0)`.execute(db)
  },
}
