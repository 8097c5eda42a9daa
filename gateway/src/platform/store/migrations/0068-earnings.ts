import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/** Calls whose cost at the vendor is not known, what vendors' caches did, and sums by upstream key. */
export const earnings: NumberedMigration = {
  name: '0068-earnings',
  up: (db) =>
    runAll(db, [
      ...['rollups', 'hourly_sums', 'daily_sums'].flatMap((name) =>
        ['unpriced', 'cached_tokens', 'cost_saved'].map(
          (column) => sql`alter table ${sql.table(name)} add column ${sql.ref(column)} bigint not null default 0`,
        ),
      ),
      ...[
        ['key_rollups', 'hour'],
        ['key_days', 'day'],
      ].map(
        ([name = '', start = '']) => sql`create table ${sql.table(name)} (
        ${sql.ref(start)} bigint not null,
        channel_id bigint not null,
        upstream_key text not null,
        count bigint not null,
        quota bigint not null,
        prompt_tokens bigint not null,
        sold bigint not null,
        vendor_cost bigint not null,
        unpriced bigint not null,
        cached_tokens bigint not null,
        cost_saved bigint not null,
        constraint ${sql.ref(`${name}_key`)} primary key (${sql.ref(start)}, channel_id, upstream_key)
      )`,
      ),
      // The hours of one key. Without the figures, so that PostgreSQL rewrites rows in place.
      sql`create index key_rollups_of on key_rollups (channel_id, upstream_key, hour)`,
    ]),
}
