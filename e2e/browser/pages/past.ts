import { Database } from 'bun:sqlite'
import { join } from 'node:path'

import { channelStatus, logType, readLogDetails, tokenStatus } from '@tollgate/contract'

import { BatchWriter } from '../../../gateway/src/billing/ledger/charge/measure-batch'
import { addTasks, type PastTasks } from './past-tasks'
import { originOf, type LoggedRow } from '../../../gateway/src/billing/analytics/measures/logged-call'

/** Backdates the data of a stopped gateway to look like a week of use, which no console call can do. */

const secondsADay = 86_400
const days = 7

/** Names of rows whose state has changed with time. */
export const aged = {
  expiredToken: 'Workshop in May',
  exhaustedToken: 'Trial',
  autoDisabledChannel: 'OpenAI (old key)',
} as const

/** Ids of calls worth looking at. */
export interface Past extends PastTasks {
  readonly logId: number
  readonly errorLogId: number
}

export function age(dataDir: string, userId: number): Past {
  using database = new Database(join(dataDir, 'tollgate.sqlite'))
  return database.transaction(() => {
    spreadLogs(database)
    setCosts(database)
    rebuildRollups(database)
    rebuildMeasures(database)
    ageTokens(database)
    ageChannels(database)
    proposePrices(database)
    const tasks = addTasks(database, userId)
    return {
      ...tasks,
      logId: maxLatency(database, logType.consumption),
      errorLogId: maxLatency(database, logType.error),
    }
  })()
}

/** Writes the results of two readings of price lists: a list that failed since, and proposals in every state. */
function proposePrices(database: Database): void {
  const now = Math.floor(Date.now() / 1000)
  const source = database.query(
    `insert into price_sources (name, channel_id, used_for, upstream_group, last_run_at, last_success_at, failure, status, models)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  source.run('litellm', 0, 'sale', '', now - 7200, now - 7200, '', null, 1366)
  source.run('models.dev', 0, 'sale', '', now - 7200, now - 180_000, 'status', 503, 1012)
  source.run('channel:1', 1, 'cost', 'vip', now - 7190, now - 7190, '', null, 214)
  database.query('insert into counters (name, value) values (?, ?)').run('price-sync.started', now - 7200)
  database.query('insert into counters (name, value) values (?, ?)').run('price-sync.finished', now - 7190)
  const propose = database.query(
    `insert into price_proposals
       (source, channel_id, model, field, before, after, percent, state, reason, found_at, decided_at, decided_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const flex = { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 }
  const rows = [
    ['lists', 0, 'gpt-4o', 'input', 2.5, 2.75, 'waiting', 'rise'],
    ['lists', 0, 'gpt-4o', 'output', 10, 8, 'waiting', 'fall'],
    ['lists', 0, 'gpt-4.1', 'tier:200000:input', 2, 4, 'waiting', 'rise'],
    ['lists', 0, 'gpt-4.1', 'mode:priority:factor', 1.75, 2, 'waiting', 'rise'],
    ['lists', 0, 'gpt-4.1-mini', 'mode:flex', null, flex, 'waiting', 'new'],
    ['lists', 0, 'mistral-large-latest', 'cache_read', 0.05, 0.0125, 'waiting', 'own'],
    ['channel:1', 1, 'gpt-4o-mini', 'input', null, 0.075, 'waiting', 'new'],
    ['lists', 0, 'o3-mini', 'input', 1.1, 0.55, 'applied', 'fall'],
    ['lists', 0, 'text-embedding-3-large', 'kind', 'per_call', 'tokens', 'refused', 'kind'],
    ['lists', 0, 'o3-mini', 'web_search', 10, null, 'refused', 'dropped'],
  ] as const
  for (const [from, channel, model, field, before, after, state, reason] of rows) {
    const percent = typeof before === 'number' && typeof after === 'number' ? ((after - before) / before) * 100 : null
    const decided = state === 'applied' ? now - 7190 : null
    const values = [JSON.stringify(before), JSON.stringify(after), percent, state, reason]
    propose.run(from, channel, model, field, ...values, now - 7190, decided, '')
  }
}

/** The call with the longest details. */
const maxLatency = (database: Database, type: number): number =>
  database
    .query<{ id: number }, [number]>('select id from logs where type = ? order by length(other) desc, id limit 1')
    .get(type)?.id ?? 0

/** Spreads the log over the past days, more in working hours than at night. */
function spreadLogs(database: Database): void {
  const now = Math.floor(Date.now() / 1000)
  const rows = database.query<{ id: number }, []>('select id from logs order by id').all()
  const move = database.query('update logs set created_at = ? where id = ?')
  for (const [index, { id }] of rows.entries()) {
    const share = (index + 1) / rows.length
    const tide = Math.sin(share * days * 2 * Math.PI) * secondsADay * 0.12
    move.run(Math.min(now, Math.round(now - (1 - share) * days * secondsADay + tide)), id)
  }
}

/** Lets the first channel cost less than its calls are sold for, and leaves unknown what slow reasoning costs. */
function setCosts(database: Database): void {
  const atPath = `'$.admin_info.cost'`
  database.run(
    `update logs set other = json_set(other, ${atPath}, cast(json_extract(other, ${atPath}) * 0.62 as integer))
     where channel_id = 1 and json_extract(other, ${atPath}) is not null`,
  )
  database.run(`update logs set other = json_remove(other, ${atPath}) where model_name = 'o3-mini'`)
}

const cost = `json_extract(other, '$.admin_info.cost')`
/** What vendors charge, by the details of a call. */
const costs = {
  sold: `iif(${cost} is null, 0, quota)`,
  vendor_cost: `coalesce(${cost}, 0)`,
  unpriced: `iif(type = $consumption and ${cost} is null, 1, 0)`,
  cached_tokens: `coalesce(json_extract(other, '$.cache_tokens'), 0)`,
  cost_saved: `coalesce(json_extract(other, '$.admin_info.cost_saved'), 0)`,
}
const costNames = Object.keys(costs).join(', ')
const costTotals = Object.keys(costs)
  .map((name) => `sum(${name})`)
  .join(', ')
const costSums = Object.values(costs)
  .map((figure) => `sum(${figure})`)
  .join(', ')

function rebuildRollups(database: Database): void {
  database.run('delete from rollups')
  database.run('delete from key_rollups')
  database.run('delete from key_days')
  database.run('delete from hourly_sums')
  database.run('delete from daily_sums')
  database.run('delete from usage_packs')
  database.run('update sum_progress set until = 0')
  database.run(
    `insert into rollups (hour, user_id, token_name, model_name, channel_id, "group",
       count, errors, quota, prompt_tokens, completion_tokens, use_time, ${costNames})
     select created_at - created_at % 3600, user_id, token_name, model_name, channel_id, "group",
       sum(type = $consumption), sum(type = $error), sum(quota), sum(prompt_tokens), sum(completion_tokens),
       sum(iif(type = $consumption, use_time, 0)), ${costSums}
     from logs where type in ($consumption, $error) group by 1, 2, 3, 4, 5, 6`.replaceAll(
      /\$(consumption|error)/g,
      (_, type: 'consumption' | 'error') => String(logType[type]),
    ),
  )
  database.run(
    `insert into key_rollups (hour, channel_id, upstream_key, count, quota, prompt_tokens, ${costNames})
     select created_at - created_at % 3600, channel_id, coalesce(json_extract(other, '$.admin_info.attempts[#-1].key'), ''),
       count(*), sum(quota), sum(prompt_tokens), ${costSums}
     from logs where type = $consumption group by 1, 2, 3`.replaceAll('$consumption', String(logType.consumption)),
  )
  database.run(
    `insert into key_days (day, channel_id, upstream_key, count, quota, prompt_tokens, ${costNames})
     select hour - hour % 86400, channel_id, upstream_key, sum(count), sum(quota), sum(prompt_tokens), ${costTotals}
     from key_rollups group by 1, 2, 3`,
  )
}

/** Writes measures of the charged calls, a little slower and with more cache reads than the stand-in upstreams report. */
function rebuildMeasures(database: Database): void {
  database.run('delete from measure_batches')
  const rows = database.query<LoggedRow, [number, number]>('select * from logs where type in (?, ?) order by id')
  const batch = new BatchWriter()
  for (const [index, row] of rows.all(logType.consumption, logType.error).entries()) {
    const other = readLogDetails(row.other)
    const origin = originOf(row)
    if (row.type === logType.error) {
      batch.error(origin, other.error_code ?? 'upstream.failed')
      continue
    }
    const cachedTokens = index % 3 === 0 ? Math.floor(row.prompt_tokens * 0.7) : 0
    const firstTokenMs = row.is_stream === 1 ? 240 + ((index * 137) % 900) : null
    batch.call(origin, {
      wholeMs: (firstTokenMs ?? 300) + row.completion_tokens * 14 + ((index * 911) % 1700),
      firstTokenMs,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cachedTokens,
      cacheSaved: Math.floor(cachedTokens * 0.9),
    })
  }
  database.run('insert into measure_batches (hour, records) values (?, ?)', [batch.hour, batch.bytes()])
}

function ageTokens(database: Database): void {
  const lastMonth = Math.floor(Date.now() / 1000) - 30 * secondsADay
  database
    .query('update tokens set status = ?, expired_time = ? where name = ?')
    .run(tokenStatus.expired, lastMonth, aged.expiredToken)
  database
    .query('update tokens set status = ?, used_quota = remain_quota, remain_quota = 0 where name = ?')
    .run(tokenStatus.exhausted, aged.exhaustedToken)
}

function ageChannels(database: Database): void {
  const info = {
    status_reason: 'Incorrect API key provided: sk-***. (status 401, invalid_api_key)',
    status_time: Math.floor(Date.now() / 1000) - secondsADay,
  }
  database
    .query('update channels set status = ?, other_info = ? where name = ?')
    .run(channelStatus.autoDisabled, JSON.stringify(info), aged.autoDisabledChannel)
  database.run('update channels set response_time = 180 + id * 137, test_time = ? where id % 4 <> 0', [
    Math.floor(Date.now() / 1000) - 3600,
  ])
}
