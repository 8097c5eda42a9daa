import { sql } from 'kysely'

import type { DatabaseKind } from '../database'
import { idType, runAll, type CreateTables } from './statements'

/** What happened: calls, their conversations, and actions in the console. */
export const createLogs: CreateTables = async (db, kind) => {
  await createCallLog(db, kind)
  await createAuditLog(db, kind)
}

const createCallLog: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table logs (
      id ${idType(kind)},
      request_id text not null,
      created_at bigint not null,
      type bigint not null default 0,
      user_id bigint not null default 0,
      username text not null default '',
      token_id bigint not null default 0,
      token_name text not null default '',
      model_name text not null default '',
      "group" text not null default '',
      channel_id bigint not null default 0,
      channel_name text not null default '',
      is_stream bigint not null default 0,
      use_time bigint not null default 0,
      prompt_tokens bigint not null default 0,
      completion_tokens bigint not null default 0,
      quota bigint not null default 0,
      content text not null default '',
      client_ip text not null default '',
      other text not null default ''
    )`,
    sql`create index logs_request on logs (request_id)`,
    // Each filter has an index in the order of time.
    sql`create index logs_time on logs (created_at, id)`,
    sql`create index logs_user on logs (user_id, created_at)`,
    sql`create index logs_channel on logs (channel_id, created_at)`,
    sql`create index logs_model on logs (model_name, created_at)`,
    sql`create index logs_token on logs (token_name, created_at)`,
    sql`create index logs_group on logs ("group", created_at)`,
    // Rows other than consumption (type 2) are few: a call's charge does not write these.
    sql`create index logs_type on logs (type, created_at) where type <> 2`,
    sql`create index logs_user_type on logs (user_id, type, created_at) where type <> 2`,
    // Apart from the rows of the log: those are money and are never lost, these are written when there is time.
    sql`create table log_texts (
      request_id text primary key,
      created_at bigint not null,
      context text not null,
      input text not null,
      output text not null
    )`,
    sql`create index log_texts_time on log_texts (created_at)`,
  ])

const createAuditLog: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table audit_log (
      id ${idType(kind)},
      created_at bigint not null,
      request_id text not null default '',
      user_id bigint not null,
      username text not null default '',
      role bigint not null,
      means text not null default '',
      ip text not null default '',
      user_agent text not null default '',
      action text not null default '',
      method text not null default '',
      path text not null default '',
      target text not null default '',
      target_id text not null default '',
      target_name text not null default '',
      outcome text not null default '',
      before text not null default '',
      after text not null default ''
    )`,
    // Each filter in the order that the list is shown in.
    sql`create index audit_log_time on audit_log (created_at, id)`,
    sql`create index audit_log_user on audit_log (user_id, created_at)`,
    sql`create index audit_log_target on audit_log (target, target_id, created_at)`,
    sql`create index audit_log_action on audit_log (action, created_at, id)`,
    sql`create index audit_log_kind on audit_log (target, created_at, id)`,
    sql`create index audit_log_rank on audit_log (role, created_at, id)`,
    sql`create index audit_log_ip on audit_log (ip, created_at, id)`,
    sql`create index audit_log_request on audit_log (request_id, created_at, id)`,
    sql`create index audit_log_target_id on audit_log (target_id, created_at, id)`,
    sql`create index audit_log_refused on audit_log (created_at, id) where outcome <> 'ok'`,
    sql`create index audit_log_outcome on audit_log (outcome, created_at, id) where outcome <> 'ok'`,
    // By filter and readable rank, with every filtered column: rows that do not match are skipped in the index alone.
    sql`create index audit_log_action_rank on audit_log
      (action, role, created_at, id, user_id, target, outcome)`,
    sql`create index audit_log_kind_rank on audit_log
      (target, role, created_at, id, user_id, action, outcome)`,
    sql`create index audit_log_refused_wide on audit_log
      (created_at, id, role, user_id, action, target, outcome) where outcome <> 'ok'`,
    sql`create index audit_log_outcome_wide on audit_log
      (outcome, created_at, id, role, user_id, action, target) where outcome <> 'ok'`,
    // For pairs of action and kind of target that few rows have although many have each.
    sql`create index audit_log_pair on audit_log
      (action, target, role, created_at, id, user_id, outcome)`,
    ...auditTriggers(kind),
  ])

const youngSeconds = sql.lit(90 * 24 * 3600)

/** The database itself refuses to change a row, or to remove one that is younger than ninety days. */
const auditTriggers = (kind: DatabaseKind) =>
  kind === 'sqlite'
    ? [
        sql`create trigger audit_log_no_update before update on audit_log
      begin select raise(abort, 'audit_log only grows'); end`,
        sql`create trigger audit_log_no_delete before delete on audit_log
      when old.created_at > cast(strftime('%s', 'now') as integer) - ${youngSeconds}
      begin select raise(abort, 'audit_log only grows'); end`,
      ]
    : [
        sql`create function audit_log_only_grows() returns trigger language plpgsql as
    $$ begin raise exception 'audit_log only grows'; end $$`,
        sql`create trigger audit_log_only_grows before update or truncate on audit_log
    for each statement execute function audit_log_only_grows()`,
        sql`create trigger audit_log_keeps_young before delete on audit_log for each row
    when (old.created_at > extract(epoch from now()) - ${youngSeconds})
    execute function audit_log_only_grows()`,
      ]
