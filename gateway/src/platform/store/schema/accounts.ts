import { sql } from 'kysely'

import type { DatabaseKind } from '../database'
import { covering, idType, runAll, type CreateTables } from './statements'

/** Users, how they sign in, and their keys. */
export const createAccounts: CreateTables = async (db, kind) => {
  await createUsers(db, kind)
  await createSignIn(db, kind)
  await createTokens(db, kind)
}

const createUsers: CreateTables = (db, kind) => {
  const searchColumns = sql`search_text, role`
  return runAll(db, [
    sql`create table users (
      id ${idType(kind)},
      username text not null,
      username_key text not null,
      password_hash text not null,
      display_name text not null default '',
      role bigint not null default 1,
      grants text,
      status bigint not null default 1,
      email text,
      access_token_hash text,
      quota bigint not null default 0,
      used_quota bigint not null default 0,
      request_count bigint not null default 0,
      "group" text not null default 'default',
      aff_code text not null,
      aff_count bigint not null default 0,
      aff_quota bigint not null default 0,
      aff_history_quota bigint not null default 0,
      inviter_id bigint not null default 0,
      setting text not null default '{}',
      webhook_secret_sealed text not null default '',
      warned_below bigint,
      created_at bigint not null,
      deleted_at bigint,
      search_text ${searchTextType(kind)}
    )`,
    sql`create unique index users_username_key on users (username_key)`,
    sql`create unique index users_aff_code on users (aff_code)`,
    sql`create unique index users_access_token on users (access_token_hash)`,
    sql`create index users_group on users ("group")`,
    sql`create unique index users_email on users (lower(email)) where deleted_at is null`,
    // The owner of an address, of closed accounts too.
    sql`create index users_mail on users (lower(email)) where email is not null`,
    // The few that are more than plain users.
    sql`create index users_of_rank on users (role, id) where role >= 10 or grants is not null`,
    // Lists, searches and a group's list read no row to skip or count it.
    sql`create index users_search on users ${covering(kind, sql`id`, searchColumns)}`,
    sql`create index users_of_group on users ${covering(kind, sql`"group", id`, searchColumns)}`,
    ...(kind === 'sqlite' ? searchTriggers : []),
    sql`create table invitations (
      invitee_id bigint primary key,
      inviter_id bigint not null,
      address text not null,
      device_hash text not null,
      inviter_quota bigint not null,
      invitee_quota bigint not null,
      state text not null,
      created_at bigint not null,
      rewarded_on text not null default ''
    )`,
    sql`create index invitations_waiting on invitations (invitee_id) where state = 'waiting'`,
    sql`create index invitations_by_inviter on invitations (inviter_id, rewarded_on)`,
    sql`create table newcomers (
      kind text not null,
      name_hash text not null,
      created_at bigint not null,
      primary key (kind, name_hash)
    )`,
  ])
}

/** The separator cannot be typed, so no search matches across two texts. */
const searchText = (char: 'chr' | 'char') =>
  sql`lower(username || ${sql.raw(char)}(31) || coalesce(email, '') || ${sql.raw(char)}(31) || display_name)`

/** Maintained by the database, whichever release writes: by triggers in SQLite, where it was added to tables that had rows. */
const searchTextType = (kind: DatabaseKind) =>
  kind === 'sqlite' ? sql`text not null default ''` : sql`text generated always as (${searchText('chr')}) stored`

const keepSearchText = sql`update users set search_text = ${searchText('char')} where id = new.id`
const searchTriggers = [
  sql`create trigger users_inserted after insert on users begin
      ${keepSearchText}; end`,
  sql`create trigger users_renamed after update of username, email, display_name on users begin
      ${keepSearchText}; end`,
]

const createSignIn: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table sessions (
      id_hash text primary key,
      user_id bigint not null default 0,
      created_at bigint not null,
      last_seen_at bigint not null,
      expires_at bigint not null,
      ip text not null default '',
      user_agent text not null default ''
    )`,
    sql`create index sessions_user on sessions (user_id)`,
    sql`create table known_devices (
      id_hash text not null,
      user_id bigint not null,
      created_at bigint not null,
      last_seen_at bigint not null,
      constraint known_devices_key primary key (id_hash, user_id)
    )`,
    sql`create index known_devices_by_user on known_devices (user_id)`,
    sql`create table totp_factors (
      user_id bigint primary key,
      secret_sealed text not null,
      last_step bigint not null,
      created_at bigint not null
    )`,
    sql`create table recovery_codes (
      code_hash text primary key,
      user_id bigint not null,
      created_at bigint not null,
      used_at bigint
    )`,
    sql`create index recovery_codes_by_user on recovery_codes (user_id)`,
    sql`create table passkeys (
      credential_id text primary key,
      user_id bigint not null,
      user_handle text not null,
      name text not null,
      public_key text not null,
      counter bigint not null,
      transports text not null,
      aaguid text not null,
      is_backed_up bigint not null,
      created_at bigint not null,
      last_used_at bigint
    )`,
    sql`create index passkeys_by_user on passkeys (user_id)`,
    sql`create table flows (
      secret_hash text primary key,
      purpose text not null,
      subject text not null,
      browser_hash text not null,
      payload text not null,
      attempts bigint not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`,
    sql`create index flows_by_subject on flows (purpose, subject)`,
    sql`create index flows_by_expiry on flows (expires_at)`,
    sql`create table identities (
      provider text not null,
      subject text not null,
      user_id bigint not null,
      created_at bigint not null,
      constraint identities_key primary key (provider, subject)
    )`,
    sql`create unique index identities_by_user on identities (user_id, provider)`,
    sql`create table access_tokens (
      id ${idType(kind)},
      user_id bigint not null,
      token_hash text not null,
      name text not null,
      scopes text,
      created_at bigint not null,
      expires_at bigint,
      last_used_at bigint not null default 0
    )`,
    sql`create unique index access_tokens_hash on access_tokens (token_hash)`,
    sql`create index access_tokens_by_user on access_tokens (user_id)`,
  ])

const createTokens: CreateTables = (db, kind) =>
  runAll(db, [
    sql`create table tokens (
      id ${idType(kind)},
      user_id bigint not null default 0,
      key_hash text not null,
      key_sealed text not null,
      previous_key_hash text,
      previous_key_until bigint not null default 0,
      name text not null default '',
      status bigint not null default 1,
      created_time bigint not null,
      accessed_time bigint not null default 0,
      last_ip text not null default '',
      expired_time bigint not null default -1,
      remain_quota bigint not null default 0,
      used_quota bigint not null default 0,
      granted_quota bigint,
      was_unlimited bigint not null default 0,
      unlimited_quota bigint not null default 0,
      model_limits_enabled bigint not null default 0,
      model_limits text not null default '',
      allow_ips text not null default '',
      "group" text not null default '',
      rate_limit_enabled bigint not null default 0,
      rate_limit_period bigint not null default 60,
      rate_limit_count bigint not null default 1000,
      rate_limit_success bigint not null default 10,
      deleted_at bigint
    )`,
    sql`create unique index tokens_key_hash on tokens (key_hash)`,
    sql`create unique index tokens_previous_key_hash on tokens (previous_key_hash) where previous_key_hash is not null`,
    sql`create index tokens_user on tokens (user_id, id)`,
  ])
