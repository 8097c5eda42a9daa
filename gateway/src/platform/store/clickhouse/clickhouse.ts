import { Readable } from 'node:stream'

import { ClickHouseLogLevel, createClient, type ClickHouseSettings } from '@clickhouse/client'
import { Kysely } from 'kysely'

import { AppError } from '../../app-error'
import { messageOf } from '../../text/message-of'
import type { Queries } from '../database'
import type { Tables } from '../tables'
import { clickHouseDialect } from './clickhouse-dialect'

/** The tables have the names and columns of those in the database whose place they take. */
export interface ClickHouse {
  /** For reading alone. @throws AppError `log.store_down`. */
  readonly query: Queries
  /** The server, for messages. */
  readonly host: string
  /** Resolves with the release of the server, also of one that is too old for everything else. @throws AppError `log.store_down`. */
  version(): Promise<string>
  /** Creates the database of the URL. @throws AppError `log.store_down`. */
  createDatabase(): Promise<void>
  /** Runs a statement without a result. @throws AppError `log.store_down`. */
  command(statement: string): Promise<void>
  /** Inserts rows, and resolves when they are on the disk of the server. @throws AppError `log.store_down`. */
  insert(table: string, rows: AsyncIterable<object>): Promise<void>
  close(): Promise<void>
}

/** Year and number of the oldest release with everything that the log needs. */
export const minVersion = '24.8'

/** Compares by year and number. */
export function isTooOld(version: string): boolean {
  const [[year, number], [minYear, minNumber]] = [partsOf(version), partsOf(minVersion)]
  return year < minYear || (year === minYear && number < minNumber)
}

function partsOf(version: string): readonly [year: number, number: number] {
  const [year = 0, number = 0] = version.split('.').map(Number)
  return [year, number]
}

const defaultDatabase = 'tollgate'
/** A page waits no longer; an insert of some ten thousand rows takes a fraction of it. */
const timeoutMs = 30_000

/** Connects on first use. */
export function openClickHouse(address: string): ClickHouse {
  const url = new URL(address)
  const database = decodeURIComponent(url.pathname.slice(1)) || defaultDatabase
  const connect = (of: string, settings: ClickHouseSettings) =>
    createClient({
      url: url.origin,
      username: decodeURIComponent(url.username) || 'default',
      password: decodeURIComponent(url.password),
      database: of,
      application: 'tollgate',
      request_timeout: timeoutMs,
      max_open_connections: 8,
      use_multipart_params_auto: true,
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: settings,
    })
  const client = connect(database, {
    // Our whole numbers stay below 2^53.
    output_format_json_quote_64bit_integers: 0,
    // A failure after the first rows would come with the status of success.
    wait_end_of_query: 1,
    async_insert: 0,
    // A name in a condition is a column, as in the other databases.
    prefer_column_name_to_alias: 1,
    ...Object.fromEntries(url.searchParams),
  })
  /** Works also before the database is there, and on a server that does not know the settings. */
  const connectPlainly = () => connect('default', {})
  const dialect = clickHouseDialect((query, parameters) =>
    orStoreDown(async () => {
      const result = await client.query({ query, query_params: { ...parameters }, format: 'JSONEachRow' })
      return result.json()
    }),
  )
  return {
    query: new Kysely<Tables>({ dialect }),
    host: url.host,
    async version() {
      await using plain = connectPlainly()
      const result = await orStoreDown(() =>
        plain.query({ query: 'select version() as version', format: 'JSONEachRow' }),
      )
      const [row] = await result.json<{ version: string }>()
      return row?.version ?? ''
    },
    async createDatabase() {
      await using plain = connectPlainly()
      await orStoreDown(() => plain.command({ query: `create database if not exists "${database}"` }))
    },
    command: (query) => orStoreDown(async () => void (await client.command({ query }))),
    insert: (table, rows) =>
      orStoreDown(
        async () => void (await client.insert({ table, values: Readable.from(rows), format: 'JSONEachRow' })),
      ),
    close: () => client.close(),
  }
}

async function orStoreDown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new AppError('log.store_down', { logMessage: `ClickHouse: ${messageOf(error)}`, cause: error })
  }
}
