import { sql, type Kysely } from 'kysely'

import type { NumberedMigration } from '../migration'
import { runAll } from '../schema/statements'

/**
 * Partitions the log on PostgreSQL by the time that its pages filter by. No row is copied or read, however many there are: the table of before
 * becomes the partition of all times without one of their own, and the indexes of before become parts of the new ones. A job makes the
 * partitions of months, see `operations/retention/log-partitions`. SQLite has no partitions.
 */
export const logByMonth: NumberedMigration = {
  name: '0077-log-by-month',
  async up(db, kind) {
    if (kind === 'sqlite') return
    await sql`lock table logs in access exclusive mode`.execute(db)
    const first = await nextId(db)
    await runAll(db, [
      // The table of before numbers its rows by an identity, which tables with partitions have since PostgreSQL 17 only. This drops its sequence.
      sql`alter table logs alter column id drop identity`,
      sql`alter table logs rename to logs_rest`,
      ...indexes.map(({ name }) => sql`alter index ${sql.ref(name)} rename to ${sql.ref(`${name}_rest`)}`),
      sql`create sequence logs_id_seq as bigint`,
      sql`alter sequence logs_id_seq restart with ${sql.lit(first)}`,
      // Without a primary key, which would have to contain the time: each partition has its own, and one sequence numbers all of them.
      sql`create table logs (like logs_rest including defaults) partition by range (created_at)`,
      sql`alter sequence logs_id_seq owned by logs.id`,
      sql`alter table logs alter column id set default nextval('logs_id_seq')`,
      ...indexes.map(({ name, on }) => sql`create index ${sql.ref(name)} on logs ${on}`),
      sql`alter table logs attach partition logs_rest default`,
    ])
  },
}

async function nextId(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select case when is_called then last_value + 1 else last_value end as next from logs_id_seq`.execute(db)
  return rows[0]?.next ?? 1
}

/** Those of the table of before, in the same words: else it would be indexed once more. */
const indexes = [
  { name: 'logs_request', on: sql`(request_id)` },
  { name: 'logs_time', on: sql`(created_at, id)` },
  { name: 'logs_user', on: sql`(user_id, created_at)` },
  { name: 'logs_channel', on: sql`(channel_id, created_at)` },
  { name: 'logs_model', on: sql`(model_name, created_at)` },
  { name: 'logs_token', on: sql`(token_name, created_at)` },
  { name: 'logs_group', on: sql`("group", created_at)` },
  { name: 'logs_type', on: sql`(type, created_at) where type <> 2` },
  { name: 'logs_user_type', on: sql`(user_id, type, created_at) where type <> 2` },
]
