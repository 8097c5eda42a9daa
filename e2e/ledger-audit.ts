import { Database } from 'bun:sqlite'
import { join } from 'node:path'

import { SQL } from 'bun'

interface ChargeRow {
  request_id: string
  user_id: number
  token_id: number
  channel_id: number
  quota: number
}

interface LogRow {
  id: number
  request_id: string
  type: number
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  prompt_tokens: number
  completion_tokens: number
  quota: number
  other: string
}

/** Reads the gateway's accounts straight from its database. */
export interface LedgerAudit extends AsyncDisposable {
  charges(): Promise<ChargeRow[]>
  /** Consumption rows only, all or those after a row. */
  logs(afterId?: number): Promise<LogRow[]>
  /** Resolves with the id of the last row of any type; 0 without rows. */
  lastLogId(): Promise<number>
  /** Balance and usage of a user. */
  user(name: string): Promise<{ free: number; used: number }>
  /** Sums over all users. */
  sums(): Promise<Sums>
  /** Row counts and sums of consumption, for logs too large to be read row by row. */
  totals(): Promise<Totals>
  /** Names of the registered workers, including those that died registered. */
  workers(): Promise<string[]>
}

interface Sums {
  free: number
  leased: number
  used: number
  credited: number
  charged: number
  requests: number
}

interface Totals {
  charges: number
  logs: number
  promptTokens: number
  completionTokens: number
  quotaLogged: number
}

/** Opens the books of a gateway's data folder, or of its PostgreSQL database. */
export function openLedgerAudit(dataDir: string, databaseUrl = ''): LedgerAudit {
  const queries = openQueries(dataDir, databaseUrl)
  return {
    charges: () => queries.rows<ChargeRow>('select request_id, user_id, token_id, channel_id, quota from charges'),
    logs: (afterId = 0) =>
      queries.rows<LogRow>(`select id, request_id, type, user_id, token_id, channel_id, model_name, prompt_tokens,
        completion_tokens, quota, other from logs where type = 2 and id > ${afterId} order by id`),
    async lastLogId() {
      const [row] = await queries.rows<{ id: number }>('select coalesce(max(id), 0) as id from logs')
      return row?.id ?? 0
    },
    async user(name) {
      const [row] = await queries.rows<{ free: number; used: number }>(`select cast(quota as double precision) as free,
        cast(used_quota as double precision) as used from users where username = '${name}'`)
      if (!row) throw new Error(`There is no user ${name}`)
      return row
    },
    async sums() {
      const [row] = await queries.rows<Sums>(sumsQuery)
      if (!row) throw new Error('The sums are missing')
      return row
    },
    async totals() {
      const [row] = await queries.rows<Totals>(totalsQuery)
      if (!row) throw new Error('The totals are missing')
      return row
    },
    workers: async () =>
      (await queries.rows<{ name: string }>('select id as name from workers')).map(({ name }) => name),
    [Symbol.asyncDispose]: () => queries[Symbol.asyncDispose](),
  }
}

/** Opens the same database for arbitrary queries. */
export const openQueries = (dataDir: string, databaseUrl: string): Queries =>
  databaseUrl === '' ? openSqlite(join(dataDir, 'tollgate.sqlite')) : openPostgres(databaseUrl)

const sumsQuery = `select
  cast((select coalesce(sum(quota), 0) from users) as double precision) as free,
  cast((select coalesce(sum(amount), 0) from leases where kind = 'user') as double precision) as leased,
  cast((select coalesce(sum(used_quota), 0) from users) as double precision) as used,
  cast((select coalesce(sum(amount), 0) from credits) as double precision) as credited,
  cast((select coalesce(sum(quota), 0) from charges) as double precision) as charged,
  cast((select coalesce(sum(request_count), 0) from users) as double precision) as requests`

const totalsQuery = `select
  cast((select count(*) from charges) as double precision) as charges,
  cast(count(*) as double precision) as logs,
  cast(coalesce(sum(prompt_tokens), 0) as double precision) as "promptTokens",
  cast(coalesce(sum(completion_tokens), 0) as double precision) as "completionTokens",
  cast(coalesce(sum(quota), 0) as double precision) as "quotaLogged"
  from logs where type = 2`

/** Runs SQL queries. */
export interface Queries extends AsyncDisposable {
  rows<Row>(query: string): Promise<Row[]>
}

function openSqlite(path: string): Queries {
  const database = new Database(path, { readwrite: true })
  database.run('pragma busy_timeout = 5000')
  return {
    rows: async <Row>(query: string) => database.query(query).all() as Row[],
    [Symbol.asyncDispose]: async () => database.close(),
  }
}

function openPostgres(url: string): Queries {
  const sql = new SQL(url, { max: 1 })
  return {
    rows: async <Row>(query: string) => (await sql.unsafe(query)).map(withNumbers) as Row[],
    [Symbol.asyncDispose]: () => sql.close(),
  }
}

/** Converts bigint columns, which arrive as text. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const numeric = ['id', 'quota', 'user_id', 'token_id', 'channel_id', 'prompt_tokens', 'completion_tokens', 'type']
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, numeric.includes(name) ? Number(value) : value]),
  )
}
