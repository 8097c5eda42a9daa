import { sql } from 'kysely'

import type { NumberedMigration } from '../migration'
import { idType, runAll } from '../schema/statements'

/** Turns of the Responses API, and conversations. */
export const turns: NumberedMigration = {
  name: '0071-turns',
  up: (db, kind) =>
    runAll(db, [
      sql`create table response_turns (
        id_hash text not null,
        user_id bigint not null,
        token_id bigint not null,
        previous_hash text not null,
        thread_hash text not null,
        sealed text not null,
        bytes bigint not null,
        expires_at bigint not null,
        constraint response_turns_key primary key (id_hash, user_id)
      )`,
      sql`create index response_turns_of_threads on response_turns (user_id, thread_hash, expires_at)`,
      // The least recently used of a user come first.
      sql`create index response_turns_of_users on response_turns (user_id, expires_at, bytes)`,
      sql`create index response_turns_expiry on response_turns (expires_at)`,
      sql`create table conversations (
        id_hash text primary key,
        user_id bigint not null,
        token_id bigint not null,
        sealed text not null,
        bytes bigint not null,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      sql`create index conversations_of_users on conversations (user_id, expires_at, bytes)`,
      sql`create index conversations_expiry on conversations (expires_at)`,
      sql`create table conversation_items (
        id ${idType(kind)},
        conversation_hash text not null,
        sealed text not null
      )`,
      sql`create index conversation_items_of on conversation_items (conversation_hash, id)`,
    ]),
}
