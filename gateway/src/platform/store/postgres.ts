import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import { existsSync } from 'node:fs'

import type { Database, PoolState, Queries } from './database'
import { ReliablePool } from './postgres-pool'
import type { Tables } from './tables'
import { StartError } from '../config/start-error'

/** The types of 64-bit columns and of sums: all our whole numbers stay below 2^53, so they are parsed as numbers. */
const wholeNumberTypes = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])

const typeParsers: CustomTypesConfig = {
  getTypeParser: (id, format) => (wholeNumberTypes.has(id) ? Number : types.getTypeParser(id, format)),
}

export interface PostgresOptions {
  /** Maximum number of connections. */
  connections?: number
  /** Statement timeout in milliseconds. Default: 10 seconds. */
  statementTimeoutMs?: number
}

/** A statement that the server has not answered by then is given up: the server is paused, or gone. */
const statementTimeoutMs = 10_000
const longStatementTimeoutMs = 30 * 60_000
/** Shorter than what lies between forgets a silent connection. */
const idleMs = 60_000

export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const query = queriesOf(url, { connections: 10, statementTimeoutMs, ...options }, forShortStatements)
  // Connects on first use.
  const longRunning = queriesOf(url, { connections: 1, statementTimeoutMs: longStatementTimeoutMs })
  return {
    kind: 'postgres',
    query: query.queries,
    longRunning: longRunning.queries,
    removal: longRunning.queries,
    pool: query.state,
    close: async () => void (await Promise.all([query.queries.destroy(), longRunning.queries.destroy()])),
  }
}

/**
 * JIT compilation and parallel workers cost more than they save for statements of some milliseconds, and take processors that charges
 * need. Sums of some ten thousand rows are computed in memory; with the usual 4 MB they are sorted on disk, which takes twice as long. The
 * URL may override this.
 */
const forShortStatements = '-c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=16MB'

interface PooledQueries {
  readonly queries: Queries
  readonly state: PoolState
}

function queriesOf(url: string, options: Required<PostgresOptions>, settings?: string): PooledQueries {
  const pool = new Pool({
    options: settings,
    connectionString: withLibpqTls(url),
    max: options.connections,
    connectionTimeoutMillis: 5000,
    // A new connection costs five round trips or more, which a page of the console would wait for after each pause.
    idleTimeoutMillis: idleMs,
    query_timeout: options.statementTimeoutMs,
    // The server gives up, too: an abandoned statement must not run later, and a machine that vanished in the middle of a transaction must
    // not lock rows until its connection is found dead.
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: Math.min(options.statementTimeoutMs, statementTimeoutMs),
    keepAlive: true,
    types: typeParsers,
  })
  // A connection that breaks fails its statement and leaves the pool; no one else needs the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const reliable = new ReliablePool(pool)
  return { queries: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reliable }) }), state: reliable }
}

const fileParameters = ['sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * Returns the connection string with libpq's meaning of its TLS parameters: `sslmode=require` encrypts, `verify-ca` checks the certificate
 * too, `verify-full` also the host. The driver by itself takes all of them for `verify-full`.
 * https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
 * @throws StartError when a file it names does not exist.
 */
export function withLibpqTls(text: string): string {
  const url = new URL(text)
  const parameters = url.searchParams
  if (!parameters.has('sslmode')) {
    // libpq's default would encrypt where the server can. A certificate that is named is meant to be used.
    if (!parameters.has('sslrootcert')) return text
    parameters.set('sslmode', 'verify-full')
  }
  // The authorities the runtime trusts anyway.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
  }
  for (const name of fileParameters) {
    const path = parameters.get(name)
    if (path !== null && !existsSync(path))
      throw new StartError(`DATABASE_URL names a file ${name}=${path} that does not exist.`)
  }
  parameters.set('uselibpqcompat', 'true')
  return url.href
}
