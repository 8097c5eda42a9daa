import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { idType, runAll } from '../schema/statements'

/** Files of users, and calls that are made in batches: see `tables/batches`. */
export const filesAndBatches: NumberedMigration = {
  name: '0072-files-and-batches',
  up: (db, kind) =>
    runAll(db, [
      sql`create table files (
        id ${idType(kind)},
        public_id text not null unique,
        user_id bigint not null,
        token_id bigint not null,
        purpose text not null,
        filename text not null,
        content_type text not null,
        bytes bigint not null default 0,
        chunks bigint not null default 0,
        place text not null,
        key_sealed text not null,
        batch_id text not null default '',
        is_stored integer not null default 0,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      sql`create index files_of_users on files (user_id, id)`,
      sql`create index files_expiry on files (expires_at)`,
      sql`create table file_chunks (
        file_id bigint not null,
        number bigint not null,
        content tollgate_blob not null,
        constraint file_chunks_key primary key (file_id, number)
      )`,
      sql`create table batches (
        task_id text primary key,
        dialect text not null,
        endpoint text not null,
        input_file_id text not null default '',
        output_file_id text not null default '',
        error_file_id text not null default '',
        key_sealed text not null,
        total bigint not null default 0,
        completed bigint not null default 0,
        failed bigint not null default 0,
        terms text not null default '{}',
        vendor text not null default '{}',
        claimed_by text not null default '',
        claimed_until bigint,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      sql`create index batches_to_run on batches (claimed_until) where claimed_until is not null`,
      sql`create index batches_expiry on batches (expires_at)`,
      sql`create table batch_lines (
        batch_id text not null,
        line bigint not null,
        state integer not null,
        model text not null,
        max_quota bigint not null,
        min_quota bigint not null,
        bytes bigint not null,
        content tollgate_blob not null,
        constraint batch_lines_key primary key (batch_id, line)
      )`,
      // The lines to run next, and those that a file of results has.
      sql`create index batch_lines_by_state on batch_lines (batch_id, state, line)`,
    ]),
}
