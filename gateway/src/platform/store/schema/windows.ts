import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** Limits that begin anew, and what is left of them. */
export const createWindows: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table windows (
      id ${idType(kind)},
      owner text not null,
      ref text not null,
      name text not null,
      measure text not null,
      limit_amount bigint not null,
      span text not null,
      seconds bigint not null default 0,
      starts_at bigint not null default 0,
      ends_at bigint not null default 0,
      is_sliding bigint not null default 0,
      time_zone text not null default '',
      grace_percent bigint not null default 0,
      fallback_model text not null default '',
      alert_percents text not null default '',
      alerts_operators bigint not null default 0,
      created_at bigint not null
    )`,
    sql`create index windows_of_owner on windows (owner, ref)`,
    sql`create table window_periods (
      id ${idType(kind)},
      window_id bigint not null,
      subject_id bigint not null,
      starts_at bigint not null,
      ends_at bigint not null,
      capacity bigint not null,
      free bigint not null,
      alerted_percent bigint not null default 0,
      unique (window_id, subject_id, starts_at)
    )`,
    sql`create index window_periods_by_end on window_periods (ends_at)`,
    sql`alter table holds add column windows text not null default ''`,
  ])
