import { logType } from '@tollgate/contract'
import { sql } from 'kysely'

import { StartError } from '../../../platform/config/start-error'
import { isTooOld, minVersion, type ClickHouse } from '../../../platform/store/clickhouse/clickhouse'

const number = 'Int64 codec(T64, ZSTD(1))'
const name = 'LowCardinality(String)'

/** Columns that ClickHouse reads from the details when a row arrives: lists are sorted and searched by them without reading the details of all rows. */
const readFromDetails = {
  duration_ms: `Int64 materialized coalesce(toInt64OrNull(extract(other, '"use_time_ms":([0-9]{1,15})')), use_time * 1000) codec(T64, ZSTD(1))`,
  error_code: `LowCardinality(String) materialized lower(extract(other, '(?i)"error_code":"([^"]*)"'))`,
}

const definitionOf = ([column, definition]: readonly [string, string]): string => `${column} ${definition}`

/** Rows are sorted as lists show them; the others are found by the indexes, or by reading single columns. */
const table = (site: string) => `create table if not exists logs (
  id ${number},
  shipment Int64 codec(Delta, ZSTD(1)),
  request_id String codec(ZSTD(1)),
  created_at Int64 codec(Delta, ZSTD(1)),
  type ${number},
  user_id ${number},
  username String codec(ZSTD(1)),
  token_id ${number},
  token_name String codec(ZSTD(1)),
  model_name ${name},
  "group" ${name},
  channel_id ${number},
  channel_name ${name},
  is_stream ${number},
  use_time ${number},
  prompt_tokens ${number},
  completion_tokens ${number},
  quota ${number},
  content String codec(ZSTD(1)),
  client_ip String codec(ZSTD(1)),
  other String codec(ZSTD(3)),
  ${Object.entries(readFromDetails).map(definitionOf).join(',\n  ')},
  index logs_id id type minmax,
  index logs_request request_id type bloom_filter(0.001),
  index logs_user user_id type bloom_filter(0.01),
  index logs_type type type set(8)
) engine = MergeTree
partition by toYYYYMM(toDateTime(created_at, 'UTC'))
order by (created_at, id)
settings fsync_after_insert = 1, fsync_part_directory = 1, merge_with_ttl_timeout = 3600
comment '${commentOf(site)}'`

const commentOf = (site: string): string => `Tollgate ${site}`

/** Creates the table where there is none. @throws StartError when it belongs to another site, or the server is too old. */
export async function createLogTable(clickHouse: ClickHouse, site: string): Promise<void> {
  const version = await clickHouse.version()
  if (isTooOld(version))
    throw new StartError(
      `ClickHouse at ${clickHouse.host} is release ${version}, and the log needs ${minVersion} or later. Until then the log stays in the database.`,
    )
  await clickHouse.createDatabase()
  await clickHouse.command(table(site))
  // Of a table of before they are computed when they are read, until its parts are merged.
  const added = Object.entries(readFromDetails).map((column) => `add column if not exists ${definitionOf(column)}`)
  await clickHouse.command(`alter table logs ${added.join(', ')}`)
  const { rows } = await sql<{ comment: string }>`select comment from system.tables
    where database = currentDatabase() and name = 'logs'`.execute(clickHouse.query)
  if (rows[0]?.comment !== commentOf(site))
    throw new StartError(
      'The table logs in ClickHouse belongs to another site. Name another database in CLICKHOUSE_URL.',
    )
}

/** Rows go so much later than they may: what compares the log with other tables is told first. */
const ttlMarginHours = 2

/** Lets ClickHouse remove rows of calls that are older than this many days; 0: none. Other rows stay for good. */
export async function keepFor(clickHouse: ClickHouse, days: number): Promise<void> {
  const { rows } = await sql<{
    hours: string
  }>`select extract(engine_full, 'TTL .*toIntervalHour\\(([0-9]+)\\)') as hours
    from system.tables where database = currentDatabase() and name = 'logs'`.execute(clickHouse.query)
  const hours = rows[0]?.hours ?? ''
  const requested = days === 0 ? '' : String(days * 24 + ttlMarginHours)
  // Even an unchanged one would make it look through all rows.
  if (hours === requested) return
  await clickHouse.command(
    requested === ''
      ? 'alter table logs remove ttl'
      : `alter table logs modify ttl toDateTime(created_at, 'UTC') + interval ${requested} hour delete where ${isOfCall}`,
  )
}

const isOfCall = `type in (${logType.consumption}, ${logType.error})`

/** Removes rows of calls from before a moment (seconds). Resolves with their number. */
export async function removeStored(clickHouse: ClickHouse, before: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count() as count from logs
    where created_at < ${before} and ${sql.raw(isOfCall)}`.execute(clickHouse.query)
  const count = rows[0]?.count ?? 0
  if (count > 0) await clickHouse.command(`delete from logs where created_at < ${before} and ${isOfCall}`)
  return count
}
