import { sql } from 'kysely'

import { covering, runAll, withoutRowid, type CreateTables } from './statements'

/** Usage, added up for charts and filters. */
export const createUsage: CreateTables = async (db, kind) => {
  await createSums(db, kind)
  await createMeasures(db, kind)
}

const createSums: CreateTables = async (db, kind) => {
  await runAll(db, [
    sql`create table rollups (
      hour bigint not null,
      user_id bigint not null default 0,
      token_name text not null default '',
      model_name text not null default '',
      channel_id bigint not null default 0,
      "group" text not null default '',
      count bigint not null default 0,
      errors bigint not null default 0,
      quota bigint not null default 0,
      prompt_tokens bigint not null default 0,
      completion_tokens bigint not null default 0,
      use_time bigint not null default 0,
      sold bigint not null default 0,
      vendor_cost bigint not null default 0,
      constraint rollups_key primary key (hour, user_id, token_name, model_name, channel_id, "group")
    )`,
    sql`create index rollups_user on rollups (user_id, hour)`,
    sql`create index rollups_model on rollups (model_name, hour)`,
    sql`create index rollups_channel on rollups (channel_id, hour)`,
    sql`create index rollups_token on rollups (token_name, hour)`,
  ])
  const figures = sql`count, errors, quota, prompt_tokens, completion_tokens, use_time`
  for (const name of ['hourly_sums', 'daily_sums']) {
    await runAll(db, [
      sql`create table ${sql.table(name)} (
        dimension integer not null,
        start bigint not null,
        key text not null,
        count bigint not null,
        errors bigint not null,
        quota bigint not null,
        prompt_tokens bigint not null,
        completion_tokens bigint not null,
        use_time bigint not null,
        sold bigint not null default 0,
        vendor_cost bigint not null default 0,
        constraint ${sql.ref(`${name}_key`)} primary key (dimension, start, key)
      ) ${withoutRowid(kind)}`,
      // Covers all queries about a few keys.
      sql`create index ${sql.ref(`${name}_of`)} on ${sql.table(name)}
        ${covering(kind, sql`dimension, key, start`, figures)}`,
    ])
    // An index-only scan needs rows that were seen by a recent vacuum.
    const often = sql`autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02`
    if (kind === 'postgres') await sql`alter table ${sql.table(name)} set (${often})`.execute(db)
  }
  await runAll(db, [
    sql`create table sum_progress (dimension integer primary key, until bigint not null)`,
    sql`insert into sum_progress (dimension, until) values (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)`,
    sql`create table stale_hours (hour bigint primary key)`,
    sql`create table removed_sums (
      user_id bigint not null,
      channel_id bigint not null,
      quota bigint not null,
      count bigint not null,
      primary key (user_id, channel_id)
    )`,
  ])
}

/** A row for each batch of charges, until a job adds it to the packs of its days. */
const createMeasures: CreateTables = async (db, kind) => {
  // A type of one name, so that both databases use the same statement; for SQLite it is a blob.
  if (kind === 'postgres') await sql`create domain tollgate_blob as bytea`.execute(db)
  await runAll(db, [
    sql`create table measure_batches (
      id ${kind === 'sqlite' ? sql`integer primary key` : sql`bigint generated always as identity primary key`},
      hour bigint not null,
      records tollgate_blob not null
    )`,
    sql`create index measure_batches_by_hour on measure_batches (hour)`,
    sql`create table usage_packs (
      pack integer not null,
      value text not null,
      day bigint not null,
      records tollgate_blob not null,
      constraint usage_packs_key primary key (pack, value, day)
    )`,
  ])
  if (kind === 'sqlite') return
  const packsOften = sql`autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_scale_factor = 0.01`
  await runAll(db, [
    // Every row is deleted within the hour or soon after it.
    sql`alter table measure_batches set (autovacuum_vacuum_scale_factor = 0.01)`,
    // They hardly shrink, and are rewritten every hour of their day.
    sql`alter table usage_packs alter column records set storage external`,
    sql`alter table usage_packs set (${packsOften})`,
  ])
}
