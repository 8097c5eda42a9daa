import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** Work that ends later than its request, realtime sessions, and what calls left in the accounts of vendors. */
export const createTasks: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table tasks (
      id ${idType(kind)},
      public_id text not null unique,
      platform text not null,
      action text not null,
      model text not null,
      user_id bigint not null,
      username text not null,
      token_id bigint not null,
      token_name text not null,
      "group" text not null,
      channel_id bigint not null default 0,
      channel_name text not null default '',
      key_fingerprint text not null default '',
      upstream_model text not null default '',
      vendor_id text not null default '',
      status text not null,
      progress bigint not null default 0,
      fail_reason text not null default '',
      prompt text not null default '',
      prompt_en text not null default '',
      request text not null default '{}',
      data text not null default '{}',
      results text not null default '[]',
      terms text not null default '{}',
      quota bigint not null default 0,
      submitted_at bigint not null,
      started_at bigint not null default 0,
      finished_at bigint not null default 0,
      deadline_at bigint not null,
      poll_at bigint,
      polls bigint not null default 0,
      losses bigint not null default 0,
      deleted_at bigint
    )`,
    // Lists are counted by the index alone, whatever they are filtered by.
    sql`create index tasks_of_users
      on tasks (user_id, platform, submitted_at, status, action, channel_id, deleted_at)`,
    sql`create index tasks_by_time on tasks (platform, submitted_at, status, action)`,
    sql`create index tasks_by_status on tasks (platform, status, submitted_at, action)`,
    sql`create index tasks_by_action on tasks (platform, action, submitted_at, status)`,
    sql`create index tasks_of_channels on tasks (channel_id, platform, submitted_at, status, action)`,
    sql`create index tasks_to_poll on tasks (poll_at) where poll_at is not null`,
    sql`create table task_answers (
      task_id text primary key,
      sealed text not null,
      expires_at bigint not null
    )`,
    sql`create index task_answers_expiry on task_answers (expires_at)`,
    sql`create table realtime_secrets (
      hash text primary key,
      sealed text not null,
      expires_at bigint not null
    )`,
    sql`create index realtime_secrets_expiry on realtime_secrets (expires_at)`,
    sql`create table realtime_sessions (
      id text primary key,
      user_id bigint not null,
      token_id bigint not null,
      seen_at bigint not null
    )`,
    sql`create index realtime_sessions_user on realtime_sessions (user_id, seen_at)`,
    sql`create table vendor_objects (
      id_hash text not null,
      user_id bigint not null,
      token_id bigint,
      channel_id bigint not null,
      key_fingerprint text not null,
      tokens bigint,
      vendor_id text not null default '',
      expires_at bigint not null,
      primary key (id_hash, user_id)
    )`,
    sql`create index vendor_objects_expiry on vendor_objects (expires_at)`,
  ])
