import { sql, type CreateTableBuilder, type Kysely } from 'kysely'

import type { DatabaseKind } from '../database'
import type { NumberedMigration } from '../migration'

type Builder = CreateTableBuilder<string>

/** Users, keys, channels, options, logs, and everything the ledger keeps. */
export const foundation: NumberedMigration = {
  name: '0001-foundation',
  async up(db, kind) {
    const id = autoId(kind)
    await accounts(db, id)
    await channels(db, id)
    await usage(db, id)
    await ledger(db)
    await coordination(db)
  },
}

type AutoId = (table: Builder) => Builder

function autoId(kind: DatabaseKind): AutoId {
  return (table) =>
    kind === 'sqlite'
      ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
}

const table = (db: Kysely<unknown>, name: string): Builder => db.schema.createTable(name)

/** Column helpers: everything is required and has a default unless stated otherwise. */
const text =
  (name: string, value = '') =>
  (t: Builder) =>
    t.addColumn(name, 'text', (c) => c.notNull().defaultTo(value))
const addRequiredText = (name: string) => (t: Builder) => t.addColumn(name, 'text', (c) => c.notNull())
const optional = (name: string) => (t: Builder) => t.addColumn(name, 'text')
const whole =
  (name: string, value = 0) =>
  (t: Builder) =>
    t.addColumn(name, 'bigint', (c) => c.notNull().defaultTo(value))
const moment = (name: string) => (t: Builder) => t.addColumn(name, 'bigint', (c) => c.notNull())
const optionalMoment = (name: string) => (t: Builder) => t.addColumn(name, 'bigint')
const key = (name: string) => (t: Builder) => t.addColumn(name, 'text', (c) => c.primaryKey())

async function accounts(db: Kysely<unknown>, id: AutoId) {
  await table(db, 'users')
    .$call(id)
    .$call(addRequiredText('username'))
    .$call(addRequiredText('username_key'))
    .$call(addRequiredText('password_hash'))
    .$call(text('display_name'))
    .$call(whole('role', 1))
    .$call(whole('status', 1))
    .$call(optional('email'))
    .$call(optional('github_id'))
    .$call(optional('oidc_id'))
    .$call(optional('wechat_id'))
    .$call(optional('telegram_id'))
    .$call(optional('linux_do_id'))
    .$call(optional('access_token_hash'))
    .$call(whole('quota'))
    .$call(whole('used_quota'))
    .$call(whole('request_count'))
    .$call(text('group', 'default'))
    .$call(addRequiredText('aff_code'))
    .$call(whole('aff_count'))
    .$call(whole('aff_quota'))
    .$call(whole('aff_history_quota'))
    .$call(whole('inviter_id'))
    .$call(text('setting', '{}'))
    .$call(moment('created_at'))
    .$call(optionalMoment('deleted_at'))
    .execute()
  await db.schema.createIndex('users_username_key').on('users').column('username_key').unique().execute()
  await db.schema.createIndex('users_aff_code').on('users').column('aff_code').unique().execute()
  await db.schema.createIndex('users_access_token').on('users').column('access_token_hash').unique().execute()
  await db.schema.createIndex('users_group').on('users').column('group').execute()
  await uniqueAmongTheLiving(db, ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'])

  await table(db, 'sessions')
    .$call(key('id_hash'))
    .$call(whole('user_id'))
    .$call(moment('created_at'))
    .$call(moment('last_seen_at'))
    .$call(moment('expires_at'))
    .$call(text('ip'))
    .$call(text('user_agent'))
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()

  await table(db, 'tokens')
    .$call(id)
    .$call(whole('user_id'))
    .$call(addRequiredText('key_hash'))
    .$call(addRequiredText('key_sealed'))
    .$call(text('name'))
    .$call(whole('status', 1))
    .$call(moment('created_time'))
    .$call(whole('accessed_time'))
    .$call(whole('expired_time', -1))
    .$call(whole('remain_quota'))
    .$call(whole('used_quota'))
    .$call(whole('unlimited_quota'))
    .$call(whole('model_limits_enabled'))
    .$call(text('model_limits'))
    .$call(text('allow_ips'))
    .$call(text('group'))
    .$call(whole('rate_limit_enabled'))
    .$call(whole('rate_limit_period', 60))
    .$call(whole('rate_limit_count', 1000))
    .$call(whole('rate_limit_success', 10))
    .$call(optionalMoment('deleted_at'))
    .execute()
  await db.schema.createIndex('tokens_key_hash').on('tokens').column('key_hash').unique().execute()
  await db.schema.createIndex('tokens_user').on('tokens').columns(['user_id', 'id']).execute()
}

async function uniqueAmongTheLiving(db: Kysely<unknown>, columns: string[]) {
  for (const column of columns) {
    const value = column === 'email' ? sql`lower(email)` : sql.ref(column)
    await sql`create unique index ${sql.ref(`users_${column}`)} on users (${value}) where deleted_at is null`.execute(
      db,
    )
  }
}

async function channels(db: Kysely<unknown>, id: AutoId) {
  await table(db, 'channels')
    .$call(id)
    .$call(whole('type'))
    .$call(text('name'))
    .$call(addRequiredText('key_sealed'))
    .$call(text('key_states', '{}'))
    .$call(whole('status', 1))
    .$call(text('openai_organization'))
    .$call(text('base_url'))
    .$call(text('other'))
    .$call(text('models'))
    .$call(text('group', 'default'))
    .$call(text('model_mapping'))
    .$call(text('status_code_mapping'))
    .$call(text('model_prefix'))
    .$call(text('setting'))
    .$call(text('param_override'))
    .$call(text('system_prompt'))
    .$call(text('test_model'))
    .$call(whole('max_input_tokens'))
    .$call(whole('priority'))
    .$call(whole('weight'))
    .$call(optional('tag'))
    .$call(whole('auto_ban', 1))
    .$call(text('other_info', '{}'))
    .$call(whole('response_time'))
    .$call(whole('test_time'))
    .addColumn('balance', 'double precision', (c) => c.notNull().defaultTo(0))
    .$call(whole('balance_updated_time'))
    .$call(whole('used_quota'))
    .$call(moment('created_time'))
    .execute()
  await db.schema.createIndex('channels_tag').on('channels').column('tag').execute()

  await table(db, 'abilities')
    .$call(addRequiredText('group'))
    .$call(addRequiredText('model'))
    .$call(whole('channel_id'))
    .addPrimaryKeyConstraint('abilities_key', ['group', 'model', 'channel_id'] as never)
    .execute()
  await db.schema.createIndex('abilities_channel').on('abilities').column('channel_id').execute()

  await table(db, 'options').$call(key('key')).$call(text('value')).execute()
}

async function usage(db: Kysely<unknown>, id: AutoId) {
  await table(db, 'logs')
    .$call(id)
    .$call(addRequiredText('request_id'))
    .$call(moment('created_at'))
    .$call(whole('type'))
    .$call(whole('user_id'))
    .$call(text('username'))
    .$call(whole('token_id'))
    .$call(text('token_name'))
    .$call(text('model_name'))
    .$call(text('group'))
    .$call(whole('channel_id'))
    .$call(text('channel_name'))
    .$call(whole('is_stream'))
    .$call(whole('use_time'))
    .$call(whole('prompt_tokens'))
    .$call(whole('completion_tokens'))
    .$call(whole('quota'))
    .$call(text('content'))
    .$call(text('client_ip'))
    .$call(text('other'))
    .execute()
  await db.schema.createIndex('logs_time').on('logs').columns(['created_at', 'id']).execute()
  await db.schema.createIndex('logs_user').on('logs').columns(['user_id', 'created_at']).execute()
  await db.schema.createIndex('logs_channel').on('logs').columns(['channel_id', 'created_at']).execute()
  await db.schema.createIndex('logs_model').on('logs').columns(['model_name', 'created_at']).execute()

  await table(db, 'rollups')
    .$call(moment('hour'))
    .$call(whole('user_id'))
    .$call(text('token_name'))
    .$call(text('model_name'))
    .$call(whole('channel_id'))
    .$call(text('group'))
    .$call(whole('count'))
    .$call(whole('errors'))
    .$call(whole('quota'))
    .$call(whole('prompt_tokens'))
    .$call(whole('completion_tokens'))
    .$call(whole('use_time'))
    .addPrimaryKeyConstraint('rollups_key', [
      'hour',
      'user_id',
      'token_name',
      'model_name',
      'channel_id',
      'group',
    ] as never)
    .execute()
  await db.schema.createIndex('rollups_user').on('rollups').columns(['user_id', 'hour']).execute()
}

async function ledger(db: Kysely<unknown>) {
  await table(db, 'workers')
    .$call(key('id'))
    .$call(text('node_id'))
    .$call(moment('started_at'))
    .$call(moment('heartbeat_at'))
    .execute()
  await table(db, 'leases')
    .$call(key('id'))
    .$call(addRequiredText('worker_id'))
    .$call(addRequiredText('kind'))
    .$call(whole('ref_id'))
    .$call(whole('amount'))
    .$call(moment('created_at'))
    .$call(whole('recalled'))
    .execute()
  await db.schema.createIndex('leases_worker').on('leases').column('worker_id').execute()
  await db.schema.createIndex('leases_ref').on('leases').columns(['kind', 'ref_id']).execute()
  await table(db, 'credits')
    .$call(key('id'))
    .$call(whole('user_id'))
    .$call(addRequiredText('kind'))
    .$call(whole('amount'))
    .$call(moment('created_at'))
    .$call(text('detail'))
    .execute()
  await db.schema.createIndex('credits_user').on('credits').columns(['user_id', 'created_at']).execute()
  await table(db, 'charges')
    .$call(key('request_id'))
    .$call(whole('user_id'))
    .$call(whole('token_id'))
    .$call(whole('channel_id'))
    .$call(whole('quota'))
    .$call(moment('created_at'))
    .execute()
}

async function coordination(db: Kysely<unknown>) {
  await table(db, 'changes')
    .addColumn('seq', 'bigint', (c) => c.primaryKey())
    .$call(addRequiredText('topic'))
    .$call(whole('ref_id'))
    .$call(moment('created_at'))
    .execute()
  await table(db, 'counters').$call(key('name')).$call(whole('value')).execute()
  await table(db, 'locks').$call(key('name')).$call(addRequiredText('holder')).$call(moment('expires_at')).execute()
  await table(db, 'setups')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .$call(addRequiredText('version'))
    .$call(moment('initialized_at'))
    .execute()
}
