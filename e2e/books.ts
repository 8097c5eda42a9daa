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

/** The gateway's books, read from its database without the gateway. */
export interface Books extends AsyncDisposable {
  charges(): Promise<ChargeRow[]>
  /** Consumption rows only. */
  logs(): Promise<LogRow[]>
  /** Sums over all users. */
  sums(): Promise<Sums>
  /** Names of the workers that are at work, or were when they died. */
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

/** Open the books of a gateway's data folder, or of its PostgreSQL database. */
export function openBooks(dataDir: string, databaseUrl = ''): Books {
  const ask = askBooks(dataDir, databaseUrl)
  return {
    charges: () => ask.rows<ChargeRow>('select request_id, user_id, token_id, channel_id, quota from charges'),
    logs: () =>
      ask.rows<LogRow>(`select request_id, type, user_id, token_id, channel_id, model_name, prompt_tokens,
        completion_tokens, quota, other from logs where type = 2 order by id`),
    async sums() {
      const [row] = await ask.rows<Sums>(sumsQuery)
      if (!row) throw new Error('The sums are missing')
      return row
    },
    workers: async () => (await ask.rows<{ id: string }>('select id from workers')).map(({ id }) => id),
    [Symbol.asyncDispose]: () => ask.close(),
  }
}

/** The same books for questions of one's own. */
export const askBooks = (dataDir: string, databaseUrl: string): Ask =>
  databaseUrl === '' ? askSqlite(join(dataDir, 'tollgate.sqlite')) : askPostgres(databaseUrl)

const sumsQuery = `select
  cast((select coalesce(sum(quota), 0) from users) as double precision) as free,
  cast((select coalesce(sum(amount), 0) from leases where kind = 'user') as double precision) as leased,
  cast((select coalesce(sum(used_quota), 0) from users) as double precision) as used,
  cast((select coalesce(sum(amount), 0) from credits) as double precision) as credited,
  cast((select coalesce(sum(quota), 0) from charges) as double precision) as charged,
  cast((select coalesce(sum(request_count), 0) from users) as double precision) as requests`

/** Questions in SQL. */
export interface Ask {
  rows<Row>(query: string): Promise<Row[]>
  close(): Promise<void>
}

function askSqlite(path: string): Ask {
  const database = new Database(path, { readwrite: true })
  database.run('pragma busy_timeout = 5000')
  return {
    rows: async <Row>(query: string) => database.query(query).all() as Row[],
    close: async () => database.close(),
  }
}

function askPostgres(url: string): Ask {
  const sql = new SQL(url, { max: 1 })
  return {
    rows: async <Row>(query: string) => (await sql.unsafe(query)).map(withNumbers) as Row[],
    close: () => sql.close(),
  }
}

/** bigint columns arrive as text. */
function withNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const numeric = ['quota', 'user_id', 'token_id', 'channel_id', 'prompt_tokens', 'completion_tokens', 'type']
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, numeric.includes(name) ? Number(value) : value]),
  )
}
