import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'

/**
 * How fast calls were, what caches saved and why attempts failed: a row for each batch of charges, until a job adds it to the packs of its
 * days (`usage_packs`, numbers from 201). An earlier release running at the same time writes and reads none of it.
 */
export const callMeasures: NumberedMigration = {
  name: '0012-call-measures',
  async up(db, kind) {
    const id = kind === 'sqlite' ? sql`id integer primary key` : sql`id bigint generated always as identity primary key`
    await sql`create table measure_batches (
      ${id},
      hour bigint not null,
      records tollgate_blob not null
    )`.execute(db)
    await sql`create index measure_batches_by_hour on measure_batches (hour)`.execute(db)
    if (kind === 'postgres') {
      // Every row is deleted within the hour or soon after it.
      await sql`alter table measure_batches set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db)
    }
  },
}
