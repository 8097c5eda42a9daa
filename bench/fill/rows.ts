import { sql } from 'kysely'

import type { Database } from '../../gateway/src/platform/store/database'
import { addNextHour } from '../../gateway/src/billing/analytics/add-up'
import { dimensionNames } from '../../gateway/src/billing/analytics/rollups'
import { BatchWriter } from '../../gateway/src/billing/ledger/charge/measure-batch'
import { rollUpMeasures } from '../../gateway/src/billing/analytics/measures/roll-up-measures'
import {
  loggedColumns,
  originOf,
  readLogged,
  type LoggedRow,
} from '../../gateway/src/billing/analytics/measures/logged-call'

/** How much of everything. */
export interface Sizes {
  readonly logs: number
  readonly users: number
  readonly tokens: number
  readonly channels: number
  readonly models: number
  /** Rows of the audit log. */
  readonly acts: number
  readonly tasks: number
  /** Unix seconds. */
  readonly now: number
  /** Password hash of the super admin. */
  readonly passwordHash: string
  /** The upstream's key as channels keep it. */
  readonly sealedKey: string
}

export type Fill = (database: Database, sizes: Sizes) => Promise<void>

export const spanSeconds = 90 * 86_400
/** Quota that everybody was given. */
const replacements = 100_000_000_000
const groups = `case i % 10 when 0 then 'vip' when 1 then 'svip' else 'default' end`
const group = '"group"'

/** Insert rows that SQL makes from the numbers 1 to `count`, called `i`: a list of columns, each with its value. */
export async function insert(
  { kind, query }: Database,
  table: string,
  count: number,
  values: Readonly<Record<string, string | number>>,
): Promise<void> {
  if (count === 0) return
  const numbers =
    kind === 'sqlite'
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`
      : `generate_series(1::bigint, ${count}) as n(i)`
  const columns = Object.keys(values).join(', ')
  await sql
    .raw(`insert into ${table} (${columns}) select ${Object.values(values).join(', ')} from ${numbers}`)
    .execute(query)
}

export const quoteSql = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The super admin first, then users; each with the credit that their balance comes from. */
export const accounts: Fill = async (database, { users, now, passwordHash }) => {
  const createdAt = now - spanSeconds
  await insert(database, 'setups', 1, { id: 1, version: quoteSql('filled'), initialized_at: createdAt })
  await insert(database, 'users', users, {
    username: `case i when 1 then 'root' else 'user' || i end`,
    username_key: `case i when 1 then 'root' else 'user' || i end`,
    password_hash: `case i when 1 then ${quoteSql(passwordHash)} else '' end`,
    display_name: `'User ' || i`,
    // Eleven administrators among 100,000.
    role: 'case when i = 1 then 100 when i % 10000 = 3 then 10 else 1 end',
    quota: replacements,
    [group]: groups,
    aff_code: `'a' || i`,
    created_at: createdAt,
  })
  await insert(database, 'credits', users, {
    id: `'admin:fill-' || i`,
    user_id: 'i',
    kind: quoteSql('admin'),
    amount: replacements,
    // Before the first row of the audit log, which would have to explain it.
    created_at: createdAt - 1,
  })
}

export const tokens: Fill = (database, { tokens: count, users, now }) =>
  insert(database, 'tokens', count, {
    user_id: `1 + (i * 7) % ${users}`,
    key_hash: `'filled' || i`,
    key_sealed: `''`,
    name: `'key-' || (i % 50)`,
    created_time: now - spanSeconds,
    accessed_time: now,
    unlimited_quota: 1,
  })

/** Each channel lists twenty of the models, or all where there are fewer; each is served by many. */
export const channels: Fill = async (database, { channels: count, models, now, sealedKey }) => {
  const listed = Array.from({ length: Math.min(20, models) }, (_, at) => modelName(`(i * 3 + ${at})`, models))
  await insert(database, 'channels', count, {
    type: 1,
    name: `'channel ' || i`,
    key_sealed: quoteSql(sealedKey),
    status: 'case when i % 20 = 0 then 3 else 1 end',
    base_url: quoteSql('http://127.0.0.1:9'),
    models: listed.join(` || ',' || `),
    [group]: quoteSql('default,vip,svip'),
    priority: 'i % 3',
    weight: 'i % 5',
    tag: `case when i % 4 = 0 then 'tag-' || (i % 40) else null end`,
    created_time: now - spanSeconds,
  })
}

/** An own entry for each model, with a tier and a mode. */
export const priceEntries: Fill = (database, { models, now }) => {
  const entry = {
    prices: { input: 2.5, output: 15, cache_read: 0.25 },
    tiers: [{ above: 272_000, prices: { input: 5, output: 22.5 } }],
    modes: [{ name: 'priority', match: { service_tier: 'priority' }, factor: 2 }],
  }
  return insert(database, 'price_entries', models, {
    channel_id: 0,
    model: modelName('i', models),
    entry: quoteSql(JSON.stringify(entry)),
    updated_at: now,
    updated_by: quoteSql('root'),
    source: quoteSql('own'),
  })
}

const modelName = (number: string, models: number): string => `('model-' || (${number} % ${models}))`

/** A tenth of the calls are one user's, most are those of two hundred more, the rest come from everybody. */
export const caller = (users: number): string =>
  `case when i % 10 = 3 then 2 when i % 10 < 9 then 3 + (i / 10) % ${Math.min(200, users - 2)} else 1 + (i * 7919) % ${users} end`

const quota = '(10 + i % 3000) + (1 + i % 700) * 4'
/** What the vendor charges is unknown for every tenth channel, and seven tenths of the sale for the others. */
const isUnpriced = (channel: string) => `(${channel}) % 10 = 0`
const costOf = (sale: string) => `(${sale}) * 7 / 10`

/** What calls and failed attempts say beside their columns. */
const response = (channel: string) => `'{"frt":' || (200 + i % 1499) || ',"use_time_ms":' || ((i % 40) * 1000 + i % 997)
  || ',"model_ratio":1,"group_ratio":1,"completion_ratio":4,"cache_tokens":' || (case when i % 4 = 0 then (10 + i % 3000) / 2 else 0 end)
  || ',"cache_ratio":1,"model_price":-1,"user_group_ratio":-1,"admin_info":{'
  || (case when ${isUnpriced(channel)} then '' else '"cost":' || (${costOf(quota)}) || ',' end)
  || (case when i % 4 = 0 then '"cost_saved":' || ((10 + i % 3000) / 4) || ',' else '' end)
  || '"attempts":[{"channel":' || (${channel}) || ',"key":"k' || (i % 3) || '"}]}}'`
const failed = `'{"use_time_ms":40,"error_code":"upstream.' || (case when i % 3 = 0 then 'busy' else 'failed' end) || '"}'`

export const logs: Fill = (database, { logs: count, users, tokens: keys, models, channels: channelCount, now }) => {
  const user = caller(users)
  const channel = `1 + ((${user}) * 5 + i % 2) % ${Math.max(channelCount, 1)}`
  return insert(database, 'logs', count, {
    // Every other failed attempt is followed by the call that went through.
    request_id: `'req' || case when i % 100 = 7 then i + 1 else i end`,
    created_at: `${now - spanSeconds} + (i * ${spanSeconds}) / ${count}`,
    type: 'case when i % 50 = 7 then 6 else 2 end',
    user_id: user,
    username: `'user' || (${user})`,
    token_id: `1 + i % ${keys}`,
    token_name: `'key-' || (${user}) % 50`,
    model_name: modelName(`((${user}) * 13 + i % 3)`, models),
    [group]: groups,
    channel_id: channel,
    channel_name: `'channel ' || (${channel})`,
    is_stream: 'i % 2',
    use_time: 'i % 40',
    prompt_tokens: '10 + i % 3000',
    completion_tokens: '1 + i % 700',
    quota,
    content: quoteSql('Model ratio 1, completion ratio 4, group ratio 1'),
    client_ip: quoteSql(''),
    other: `case when i % 50 = 7 then ${failed} else ${response(channel)} end`,
  })
}

const number = 'cast(substr(request_id, 4) as bigint)'
/** The figures of costs that a row of a call adds. */
const costs = {
  sold: `case when ${isUnpriced('channel_id')} then 0 else quota end`,
  vendor_cost: `case when ${isUnpriced('channel_id')} then 0 else ${costOf('quota')} end`,
  unpriced: `case when ${isUnpriced('channel_id')} then 1 else 0 end`,
  cached_tokens: `case when ${number} % 4 = 0 then prompt_tokens / 2 else 0 end`,
  cost_saved: `case when ${number} % 4 = 0 then prompt_tokens / 4 else 0 end`,
}
const costNames = Object.keys(costs).join(', ')
const costTotals = Object.keys(costs)
  .map((name) => `sum(${name})`)
  .join(', ')
const costSums = Object.values(costs)
  .map((figure) => `sum(case when type = 2 then ${figure} else 0 end)`)
  .join(', ')

/** The hourly sums of those rows, those of an hour side by side as charges leave them. */
export const rollups: Fill = async ({ query }) => {
  await sql
    .raw(
      `insert into key_rollups (hour, channel_id, upstream_key, count, quota, prompt_tokens, ${costNames})
       select created_at - created_at % 3600, channel_id, 'k' || (${number} % 3), count(*), sum(quota), sum(prompt_tokens), ${costSums}
       from logs where type = 2 group by 1, 2, 3 order by 1`,
    )
    .execute(query)
  await sql
    .raw(
      `insert into key_days (day, channel_id, upstream_key, count, quota, prompt_tokens, ${costNames})
       select hour - hour % 86400, channel_id, upstream_key, sum(count), sum(quota), sum(prompt_tokens), ${costTotals}
       from key_rollups group by 1, 2, 3 order by 1`,
    )
    .execute(query)
  await sql
    .raw(
      `insert into rollups (hour, user_id, token_name, model_name, channel_id, ${group}, count, errors, quota, prompt_tokens, completion_tokens, use_time, ${costNames})
       select created_at - created_at % 3600, user_id, token_name, model_name, channel_id, ${group},
         sum(case when type = 2 then 1 else 0 end), sum(case when type = 6 then 1 else 0 end),
         sum(case when type = 2 then quota else 0 end), sum(case when type = 2 then prompt_tokens else 0 end),
         sum(case when type = 2 then completion_tokens else 0 end), sum(use_time), ${costSums}
       from logs group by 1, 2, 3, 4, 5, 6 order by 1`,
    )
    .execute(query)
}

/** Calls read and packed at once. */
const callsAtOnce = 100_000
/** Charged together on a busy site. */
const callsABatch = 5

/** How fast those calls were, and why some failed, packed by the day but for the last hours. */
export const measures: Fill = async (database, { now }) => {
  const { query } = database
  const before = now - 4200
  const isOver = ({ created_at: at }: LoggedRow) => at - (at % 3600) < before
  for (let last = 0; ;) {
    const rows = await query
      .selectFrom('logs')
      .select(['id', ...loggedColumns])
      .where('id', '>', last)
      .orderBy('id')
      .limit(callsAtOnce)
      .execute()
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? last
    await addBatch(database, rows.filter(isOver))
    await rollUpMeasures(database, before, 1)
    await addBatches(
      database,
      rows.filter((row) => !isOver(row)),
    )
  }
}

/** The measures of calls since then (seconds) as charges leave them. */
export async function leaveBatches(database: Database, since: number): Promise<void> {
  const calls = database.query.selectFrom('logs').select(loggedColumns).where('created_at', '>=', since)
  await addBatches(database, await calls.orderBy('created_at').execute())
}

const addBatches = ({ query }: Database, rows: readonly LoggedRow[]): Promise<void> =>
  query.transaction().execute(async (transaction) => {
    for (let first = 0; first < rows.length; first += callsABatch)
      await addBatch({ query: transaction }, rows.slice(first, first + callsABatch))
  })

async function addBatch({ query }: Pick<Database, 'query'>, rows: readonly LoggedRow[]): Promise<void> {
  const batch = new BatchWriter()
  for (const row of rows) addTo(batch, row)
  if (batch.isEmpty) return
  await query.insertInto('measure_batches').values({ hour: batch.hour, records: batch.bytes() }).execute()
}

function addTo(batch: BatchWriter, row: LoggedRow): void {
  const detail = readLogged(row)
  if (detail?.kind === 'error') batch.error(originOf(row), detail.code)
  if (detail?.kind === 'call') batch.call(originOf(row), { ...detail.call, cacheSaved: detail.call.cachedTokens >> 1 })
}

/** Most rows of the audit log are sign-ins and what users do with their own tokens; every fiftieth act is an administrator's. */
export const acts: Fill = (database, { acts: count, users, now }) => {
  const byAdmin = 'i % 50 = 0'
  const user = `(case when ${byAdmin} then 3 + 10000 * (i / 50 % 10) else 1 + (i * 7919) % ${users} end)`
  const action = `(case when i % 50 = 0 then (case i / 50 % 4 when 0 then 'user.update' when 1 then 'user.manage' when 2 then 'channel.update' else 'option.change' end)
    when i % 10 < 6 then 'session.begin' when i % 10 < 8 then 'token.create' when i % 10 = 8 then 'self.update' else 'token.delete' end)`
  const target = `(case when i % 50 = 0 then (case i / 50 % 4 when 2 then 'channel' when 3 then 'option' else 'user' end)
    when i % 10 < 6 then 'session' when i % 10 = 8 then 'user' else 'token' end)`
  return insert(database, 'audit_log', count, {
    created_at: `${now - spanSeconds} + (i * ${spanSeconds}) / ${Math.max(count, 1)}`,
    request_id: `'act' || i`,
    user_id: user,
    username: `'user' || ${user}`,
    role: `case when ${byAdmin} then 10 when i % 1001 = 7 then 5 else 1 end`,
    means: quoteSql('session'),
    ip: `'10.' || (i % 50) || '.' || (i / 7 % 200) || '.' || (i % 251)`,
    user_agent: quoteSql(
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    ),
    action,
    method: quoteSql('POST'),
    path: quoteSql('/api/user/login'),
    target,
    target_id: `'' || (1 + (i * 31) % ${users})`,
    target_name: `'user' || (1 + (i * 31) % ${users})`,
    outcome: `case when i % 40 = 7 then 'login.failed' when i % 997 = 0 then 'auth.forbidden' else 'ok' end`,
    before: `case when ${byAdmin} then '{"status":1,"group":"default"}' else '' end`,
    after: `case when ${byAdmin} then '{"status":2,"group":"vip"}' else '' end`,
  })
}

/** What the hourly sums say that users and channels used, and the sums of longer times: the books balance. */
export const counters: Fill = async (database) => {
  const { query } = database
  await sql`update users set quota = users.quota - used.quota, used_quota = used.quota, request_count = used.count
    from (select user_id, sum(quota) as quota, sum(count) as count from rollups group by user_id) as used
    where users.id = used.user_id`.execute(query)
  await sql`update channels set used_quota = used.quota
    from (select channel_id, sum(quota) as quota from rollups group by channel_id) as used
    where channels.id = used.channel_id`.execute(query)
  const hourNow = Math.floor(Date.now() / 3_600_000) * 3600
  for (const column of dimensionNames) while (await addNextHour(database, column, hourNow));
}
