import { sql } from 'kysely'

import { idType, runAll, type CreateTables } from './statements'

/** Channels, prices and costs, and the sources of prices. */
export const createChannels: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table channels (
      id ${idType(kind)},
      type bigint not null default 0,
      name text not null default '',
      key_sealed text not null,
      secrets_sealed text not null default '',
      key_states text not null default '{}',
      status bigint not null default 1,
      base_url text not null default '',
      models text not null default '',
      "group" text not null default 'default',
      priority bigint not null default 0,
      weight bigint not null default 0,
      tag text,
      other text not null default '',
      openai_organization text not null default '',
      model_mapping text not null default '',
      status_code_mapping text not null default '',
      param_override text not null default '',
      setting text not null default '',
      system_prompt text not null default '',
      model_prefix text not null default '',
      test_model text not null default '',
      max_input_tokens bigint not null default 0,
      auto_ban bigint not null default 1,
      other_info text not null default '{}',
      response_time bigint not null default 0,
      test_time bigint not null default 0,
      test_failure text not null default '',
      balance double precision not null default 0,
      balance_currency text not null default '',
      balance_updated_time bigint not null default 0,
      used_quota bigint not null default 0,
      created_time bigint not null
    )`,
    sql`create index channels_tag on channels (tag)`,
    sql`create table price_entries (
      channel_id bigint not null,
      model text not null,
      entry text not null,
      updated_at bigint not null,
      updated_by text not null,
      source text not null,
      primary key (channel_id, model)
    )`,
    sql`create table price_sources (
      name text primary key,
      channel_id bigint not null,
      used_for text not null,
      upstream_group text not null,
      last_run_at bigint,
      last_success_at bigint,
      failure text not null default '',
      status bigint,
      models bigint not null default 0
    )`,
    sql`create table price_proposals (
      id ${idType(kind)},
      source text not null,
      channel_id bigint not null,
      model text not null,
      field text not null,
      before text not null,
      after text not null,
      percent ${kind === 'sqlite' ? sql`real` : sql`double precision`},
      state text not null,
      reason text not null,
      found_at bigint not null,
      decided_at bigint,
      decided_by text not null default '',
      unique (source, channel_id, model, field)
    )`,
    sql`create index price_proposals_by_state on price_proposals (state, model, id)`,
  ])
