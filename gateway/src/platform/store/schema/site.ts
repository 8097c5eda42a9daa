import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** Options, and what workers agree by: announced changes, locks, counters and limits. */
export const createSite: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table setups (
      id bigint primary key,
      version text not null,
      initialized_at bigint not null
    )`,
    sql`create table secret_probes (
      id integer primary key,
      sealed text not null
    )`,
    sql`create table options (
      key text primary key,
      value text not null default ''
    )`,
    sql`create table option_changes (
      id ${idType(kind)},
      key text not null,
      created_at bigint not null,
      request_id text not null,
      user_id bigint not null,
      username text not null,
      before text not null,
      after text not null
    )`,
    sql`create index option_changes_by_key on option_changes (key, id)`,
    sql`create table site_notes (
      name text primary key,
      value text not null,
      updated_at bigint not null
    )`,
    sql`create table changes (
      seq bigint primary key,
      topic text not null,
      ref_id bigint not null default 0,
      created_at bigint not null
    )`,
    sql`create table counters (
      name text primary key,
      value bigint not null default 0
    )`,
    sql`create table locks (
      name text primary key,
      holder text not null,
      expires_at bigint not null
    )`,
    sql`create table limit_counts (
      key text primary key,
      count bigint not null,
      ends_at bigint not null
    )`,
    sql`create index limit_counts_by_end on limit_counts (ends_at)`,
    sql`create table keyed_acts (
      id_hash text primary key,
      input_hash text not null,
      request_id text not null,
      progress text not null default '',
      answer_sealed text not null default '',
      created_at bigint not null
    )`,
    sql`create index keyed_acts_time on keyed_acts (created_at)`,
  ])
