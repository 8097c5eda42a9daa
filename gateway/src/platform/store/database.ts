import { Database as SqliteFile } from 'bun:sqlite'
import { Kysely, type Compilable, type Transaction as KyselyTransaction } from 'kysely'

import { Checkpoints } from './checkpoints'
import { sqliteDialect } from './sqlite-dialect'
import { sqliteThreadDialect } from './sqlite-thread'
import type { Tables } from './tables'

export type DatabaseKind = 'sqlite' | 'postgres'

export type Queries = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

export interface Database {
  readonly kind: DatabaseKind
  readonly query: Queries
  /** For statements that may take minutes: steps of the schema, scans of a whole table. */
  readonly longRunning: Queries
  /** For removing rows beside calls: in a gateway on SQLite a thread of its own. */
  readonly removal: Queries
  /** The connections for short statements; absent where there is no server. */
  readonly pool?: PoolState
  /** Resolves once little of SQLite's log waits to be written into its file: work that changes many rows waits for it between two parts. */
  readonly keepUp?: () => Promise<void>
  close(): Promise<void>
}

/** Connections to a database server. */
export interface PoolState {
  readonly inUse: number
  /** Statements that wait for one. */
  readonly waiting: number
  /** Statements that have had to wait since the start. */
  readonly waits: number
}

/** `process` survives the death of the process, `power` also that of the machine. */
export type Durability = 'process' | 'power'

export const openSqlite = (path: string, durability: Durability = 'process'): Database =>
  databaseIn(openSqliteFile(path, durability))

/** Opens a file that no process writes to, and changes nothing in it or beside it. */
export const openSqliteReadOnly = (path: string): Database => databaseIn(new SqliteFile(path, { readonly: true }))

/** Opens a file whose log is checkpointed by another thread, not by the statements that find it long. */
export function openBusySqlite(path: string, durability: Durability): Database {
  const file = openSqliteFile(path, durability)
  file.run(`pragma wal_autocheckpoint = ${pagesLeftBehind}`)
  const changes = file.query<{ changes: number }, []>('select total_changes() as changes')
  const checkpoints = Checkpoints.start({ path, changes: () => changes.get()?.changes ?? 0 })
  const database = databaseIn(file)
  const pragmas = [`busy_timeout = ${lockTimeoutMs}`, ...pragmasOf(durability)]
  const removal = new Kysely<Tables>({ dialect: sqliteThreadDialect({ path, pragmas }) })
  return {
    ...database,
    removal,
    keepUp: () => checkpoints.keepUp(),
    async close() {
      await Promise.all([checkpoints.stop(), removal.destroy()])
      changes.finalize()
      await database.close()
    },
  }
}

/** 256 MB: the connection checkpoints itself where the thread does not keep up. */
const pagesLeftBehind = 64_000

function databaseIn(file: SqliteFile): Database {
  const query = new Kysely<Tables>({ dialect: sqliteDialect(file) })
  return { kind: 'sqlite', query, longRunning: query, removal: query, close: () => query.destroy() }
}

const lockTimeoutMs = 10_000

/** Opens a SQLite file in WAL mode. Only while it is opened does it sleep for another process's lock. */
function openSqliteFile(path: string, durability: Durability): SqliteFile {
  const file = new SqliteFile(path, { create: true, strict: true })
  const pragmas = ['journal_mode = wal', ...pragmasOf(durability), 'cache_size = -16000', 'busy_timeout = 0']
  for (const pragma of [`busy_timeout = ${lockTimeoutMs}`, ...pragmas]) file.run(`pragma ${pragma}`)
  return file
}

/** What all connections have in common. */
const pragmasOf = (durability: Durability): readonly string[] => [
  `synchronous = ${durability === 'power' ? 'full' : 'normal'}`,
  'foreign_keys = on',
  // Undo data of a statement over many rows stays in memory.
  'temp_store = memory',
  // A checkpoint waits for the disk: every 32 MB instead of every 4.
  'wal_autocheckpoint = 8000',
]

/**
 * A query that runs so often that building it each time would cost more than running it. It is built once, with placeholder values, and
 * run with others in their place, in order.
 */
export function builtQuery<Row>(
  query: Queries,
  built: Compilable<Row>,
): (...parameters: readonly (string | number)[]) => Promise<readonly Row[]> {
  const compiled = built.compile()
  return async (...parameters) => (await query.executeQuery<Row>({ ...compiled, parameters })).rows
}
