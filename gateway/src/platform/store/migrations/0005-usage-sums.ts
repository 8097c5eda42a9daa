import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The hourly rollups added up by one of their columns at a time, by the hour and by the day, and how far that has come for each column. A
 * job fills them; with hourly rollups that exist already, the step only indexes them.
 */
export const usageSums: NumberedMigration = {
  name: '0005-usage-sums',
  async up(db, kind) {
    const withoutRowid = kind === 'sqlite' ? sql`without rowid` : sql``
    await sql`create table usage_sums (
      dimension integer not null,
      span integer not null,
      start bigint not null,
      key text not null,
      count bigint not null,
      errors bigint not null,
      quota bigint not null,
      prompt_tokens bigint not null,
      completion_tokens bigint not null,
      use_time bigint not null,
      constraint usage_sums_key primary key (dimension, span, start, key)
    ) ${withoutRowid}`.execute(db)
    // Each index covers its queries, so no row is read.
    const figures = sql`count, errors, quota, prompt_tokens, completion_tokens, use_time`
    const held = kind === 'sqlite' ? sql`, ${figures})` : sql`) include (${figures})`
    await sql`create index usage_sums_of on usage_sums (dimension, span, key, start${held}`.execute(db)
    // Only by user, as users are many.
    await sql`create index usage_sums_largest on usage_sums (span, start, quota desc, key) where dimension = 5`.execute(
      db,
    )
    if (kind === 'postgres') {
      // An index-only scan needs rows that were seen by a recent vacuum.
      const often = sql`autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02`
      await sql`alter table usage_sums set (${often})`.execute(db)
    }
    await sql`create table usage_folds (dimension integer primary key, until bigint not null)`.execute(db)
    await sql`insert into usage_folds (dimension, until) values (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)`.execute(db)
    await db.schema.createIndex('rollups_model').on('rollups').columns(['model_name', 'hour']).execute()
    await db.schema.createIndex('rollups_channel').on('rollups').columns(['channel_id', 'hour']).execute()
    await db.schema.createIndex('rollups_token').on('rollups').columns(['token_name', 'hour']).execute()
  },
}
