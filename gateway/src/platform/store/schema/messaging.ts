import { sql } from 'kysely'

import { idType, runAll, withoutRowid, type CreateTables } from './statements'

/** Messages, mails, webhooks and what operators are notified of. */
export const createMessaging: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table messages (
      id ${idType(kind)},
      kind text not null default '',
      title text not null,
      content text not null,
      format text not null,
      params text not null default '',
      created_by bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      audience text not null,
      audience_value text not null default '',
      last_user_id bigint not null default 0,
      total_recipients bigint not null default 0,
      read_count bigint not null default 0,
      send_mail bigint not null default 0,
      expand_after bigint,
      mail_after bigint,
      deleted_at bigint,
      due_at bigint
    )`,
    // What people wrote is among very many rows that the gateway wrote.
    sql`create index messages_written on messages (id) where kind = ''`,
    sql`create index messages_told on messages (id) where kind <> ''`,
    sql`create index messages_to_all on messages (last_user_id) where audience = 'all'`,
    sql`create index messages_due on messages (due_at) where due_at is not null`,
    // A message to everyone has a receipt only for those who read it; every other one a receipt for each recipient.
    sql`create table message_receipts (
      message_id bigint not null,
      user_id bigint not null,
      read_at bigint,
      constraint message_receipts_key primary key (message_id, user_id)
    ) ${withoutRowid(kind)}`,
    sql`create index message_receipts_of on message_receipts (user_id, read_at, message_id)`,
    sql`create table mails (
      id text primary key,
      kind text not null,
      recipient text not null,
      language text not null,
      params text not null,
      attempts bigint not null default 0,
      failure text not null default '',
      created_at bigint not null,
      expires_at bigint not null,
      due_at bigint,
      sent_at bigint
    )`,
    sql`create index mails_due on mails (due_at) where due_at is not null`,
    sql`create index mails_by_time on mails (created_at)`,
    sql`create table webhook_deliveries (
      id text primary key,
      user_id bigint not null,
      type text not null,
      url text not null,
      body text not null,
      attempts bigint not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      due_at bigint,
      delivered_at bigint,
      attempted_at bigint,
      status bigint,
      duration_ms bigint,
      response text not null default '',
      failure text not null default ''
    )`,
    sql`create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null`,
    sql`create index webhook_deliveries_by_user on webhook_deliveries (user_id, created_at)`,
    sql`create index webhook_deliveries_by_time on webhook_deliveries (created_at)`,
    sql`create table balance_notices (
      user_id bigint primary key,
      notified_at bigint not null,
      used_quota bigint
    )`,
    sql`create table operator_events (
      kind text not null,
      subject text not null,
      facts text not null,
      count bigint not null,
      first_at bigint not null,
      last_at bigint not null,
      due_at bigint,
      notified_at bigint,
      primary key (kind, subject)
    )`,
    sql`create index operator_events_due on operator_events (due_at) where due_at is not null`,
  ])
