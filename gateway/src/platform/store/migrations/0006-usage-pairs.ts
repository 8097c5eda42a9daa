import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The hourly rollups added up by two of their columns: what was used at values of one, by the values of another, by the day and the third
 * of a day. A job fills them. An earlier release running at the same time does not add late charges to them: workers that do are marked in
 * the list of workers, and while one there is not, the sums are left empty.
 */
export const usagePairs: NumberedMigration = {
  name: '0006-usage-pairs',
  async up(db, kind) {
    const figures = sql`count, errors, quota, prompt_tokens, completion_tokens, use_time`
    // Each row is read with many of its neighbours, and by nothing but the key.
    const held = kind === 'sqlite' ? sql`` : sql`include (${figures})`
    await sql`create table usage_pairs (
      pair integer not null,
      span integer not null,
      one text not null,
      start bigint not null,
      other text not null,
      count bigint not null,
      errors bigint not null,
      quota bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      use_time bigint not null,
      constraint usage_pairs_key primary key (pair, span, one, start, other) ${held}
    ) ${kind === 'sqlite' ? sql`without rowid` : sql``}`.execute(db)
    if (kind === 'postgres') {
      const often = sql`autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02`
      await sql`alter table usage_pairs set (${often})`.execute(db)
    }
    await db.schema
      .alterTable('workers')
      .addColumn('adds_pairs', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`insert into usage_folds (dimension, until) values
      (12, 0), (13, 0), (14, 0), (21, 0), (23, 0), (24, 0), (41, 0), (42, 0), (43, 0)`.execute(db)
  },
}
