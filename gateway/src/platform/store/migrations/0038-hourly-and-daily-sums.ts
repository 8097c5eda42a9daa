import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * The hourly rollups added up by one column at a time, by the hour and by the day, in place of all earlier sums. A job fills the tables.
 * Earlier releases find their own tables empty and fill them again if they have to.
 */
export const hourlyAndDailySums: NumberedMigration = {
  name: '0038-hourly-and-daily-sums',
  async up(db, kind) {
    const figures = sql`count, errors, quota, prompt_tokens, completion_tokens, use_time`
    for (const name of ['hourly_sums', 'daily_sums']) {
      await sql`create table ${sql.table(name)} (
        dimension integer not null,
        start bigint not null,
        key text not null,
        count bigint not null,
        errors bigint not null,
        quota bigint not null,
        prompt_tokens bigint not null,
        completion_tokens bigint not null,
        use_time bigint not null,
        constraint ${sql.ref(`${name}_key`)} primary key (dimension, start, key)
      ) ${kind === 'sqlite' ? sql`without rowid` : sql``}`.execute(db)
      // Covers all queries about a few keys, so no row is read.
      const held = kind === 'sqlite' ? sql`, ${figures})` : sql`) include (${figures})`
      await sql`create index ${sql.ref(`${name}_of`)} on ${sql.table(name)} (dimension, key, start${held}`.execute(db)
      if (kind === 'postgres') {
        // An index-only scan needs rows that were seen by a recent vacuum.
        const often = sql`autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02`
        await sql`alter table ${sql.table(name)} set (${often})`.execute(db)
      }
    }
    await sql`create table sum_progress (dimension integer primary key, until bigint not null)`.execute(db)
    await sql`insert into sum_progress (dimension, until) values (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)`.execute(db)
    await sql`create table stale_hours (hour bigint primary key)`.execute(db)

    await sql`update usage_folds set until = 0`.execute(db)
    for (const name of ['usage_sums', 'usage_pairs']) {
      await sql`${sql.raw(kind === 'sqlite' ? 'delete from' : 'truncate')} ${sql.table(name)}`.execute(db)
    }
    // Packs from 201 on are those of measures.
    await sql`delete from usage_packs where pack < 200`.execute(db)
  },
}
