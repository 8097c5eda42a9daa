import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** What users subscribe to, and their subscriptions. */
export const createPlans: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table plans (
      id ${idType(kind)},
      name text not null,
      description text not null default '',
      price bigint not null,
      length bigint not null,
      unit text not null,
      models text not null default '',
      groups text not null default '',
      max_per_user bigint not null default 1,
      preference text not null,
      is_on_sale bigint not null default 1,
      created_at bigint not null,
      deleted_at bigint
    )`,
    sql`create table subscriptions (
      id ${idType(kind)},
      user_id bigint not null,
      plan_id bigint not null,
      plan_name text not null,
      state text not null,
      source text not null,
      starts_at bigint not null,
      ends_at bigint not null,
      term bigint not null default 1,
      price bigint not null default 0,
      paid bigint not null default 0,
      used bigint not null default 0,
      renews bigint not null default 0,
      preference text not null,
      next_plan_id bigint not null default 0,
      order_number text not null default '',
      created_at bigint not null
    )`,
    sql`create index subscriptions_of_users on subscriptions (user_id, state)`,
    sql`create index subscriptions_of_plans on subscriptions (plan_id, state)`,
    sql`create index subscriptions_by_end on subscriptions (ends_at) where state = 'active'`,
    sql`create index subscriptions_of_orders on subscriptions (order_number) where order_number != ''`,
    sql`alter table holds add column subscription_id bigint not null default 0`,
    sql`alter table redemption_codes add column plan_id bigint not null default 0`,
    sql`alter table orders add column plan_id bigint not null default 0`,
  ])
