import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** Where quota is and what moved it, and how users come by it: orders and codes. */
export const createBilling: CreateTables = async (db, kind) => {
  await createLedger(db, kind)
  await createOrders(db, kind)
  await createRedemptionCodes(db, kind)
}

const createLedger: CreateTables = (db) =>
  runAll(db, [
    sql`create table workers (
      id text primary key,
      node_id text not null default '',
      started_at bigint not null,
      heartbeat_at bigint not null
    )`,
    sql`create table leases (
      id text primary key,
      worker_id text not null,
      kind text not null,
      ref_id bigint not null default 0,
      amount bigint not null default 0,
      created_at bigint not null,
      recalled bigint not null default 0
    )`,
    sql`create index leases_worker on leases (worker_id)`,
    sql`create index leases_ref on leases (kind, ref_id)`,
    sql`create table holds (
      id text primary key,
      user_id bigint not null,
      token_id bigint not null,
      is_token_limited bigint not null,
      amount bigint not null,
      created_at bigint not null
    )`,
    sql`create index holds_of_users on holds (user_id)`,
    sql`create table credits (
      id text primary key,
      user_id bigint not null default 0,
      kind text not null,
      amount bigint not null default 0,
      created_at bigint not null,
      detail text not null default ''
    )`,
    sql`create index credits_user on credits (user_id, created_at)`,
    sql`create table charges (
      request_id text primary key,
      user_id bigint not null default 0,
      token_id bigint not null default 0,
      channel_id bigint not null default 0,
      quota bigint not null default 0,
      created_at bigint not null
    )`,
  ])

const createOrders: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table orders (
      id ${idType(kind)},
      number text not null unique,
      user_id bigint not null,
      provider text not null,
      merchant text not null,
      method text not null,
      amount bigint not null,
      minor bigint not null,
      currency text not null,
      quota bigint not null,
      status text not null,
      problem text not null default '',
      provider_number text not null default '',
      payment_number text not null default '',
      refunded_minor bigint not null default 0,
      refund_reported_minor bigint not null default 0,
      refund_failed_minor bigint not null default 0,
      disputed_minor bigint not null default 0,
      dispute text not null default '',
      dispute_number text not null default '',
      quota_credited bigint not null default 0,
      quota_taken bigint not null default 0,
      credits bigint not null default 0,
      completed_by bigint not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      paid_at bigint not null default 0,
      under_way_at bigint not null default 0,
      closed_at bigint not null default 0,
      ask_at bigint,
      asked bigint not null default 0
    )`,
    sql`create index orders_by_user on orders (user_id, id)`,
    sql`create index orders_by_status on orders (status, id)`,
    // Orders within a span of time are found and counted without reading the others.
    sql`create index orders_by_time on orders (created_at)`,
    // The few that a job looks for.
    sql`create index orders_to_ask on orders (ask_at) where ask_at is not null`,
    sql`create index orders_marked on orders (problem) where problem != ''`,
    sql`create table order_events (
      id ${idType(kind)},
      order_id bigint not null,
      provider text not null,
      event_id text not null,
      kind text not null,
      source text not null,
      outcome text not null,
      payload text not null,
      created_at bigint not null,
      unique (provider, event_id)
    )`,
    sql`create index order_events_by_order on order_events (order_id, id)`,
    // Their numbers come from the counter `documents`.
    sql`create table billing_documents (
      number bigint primary key,
      kind text not null,
      user_id bigint not null,
      order_number text,
      part bigint not null default 0,
      month text,
      minor bigint not null default 0,
      issued_at bigint not null,
      content text not null
    )`,
    sql`create unique index billing_documents_order on billing_documents (order_number, part)`,
    sql`create unique index billing_documents_month on billing_documents (user_id, month)`,
    sql`create index billing_documents_user on billing_documents (user_id, number)`,
    sql`create index billing_documents_time on billing_documents (issued_at)`,
  ])

const createRedemptionCodes: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table redemption_codes (
      id ${idType(kind)},
      name text not null,
      key_hash text not null,
      key_sealed text not null,
      status bigint not null,
      quota bigint not null,
      is_gift bigint not null,
      max_uses bigint not null,
      used_count bigint not null default 0,
      valid_from bigint not null,
      valid_until bigint not null,
      created_time bigint not null,
      created_by bigint not null,
      used_user_id bigint not null default 0,
      redeemed_time bigint not null default 0,
      deleted_at bigint
    )`,
    sql`create unique index redemption_codes_key on redemption_codes (key_hash)`,
    sql`create index redemption_codes_name on redemption_codes (name)`,
    sql`create table redemption_uses (
      redemption_id bigint not null,
      user_id bigint not null,
      used_at bigint not null,
      quota bigint not null,
      primary key (redemption_id, user_id)
    )`,
    sql`create index redemption_uses_by_time on redemption_uses (redemption_id, used_at)`,
  ])
