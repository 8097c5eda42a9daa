import { Database as SqliteFile, type Statement } from 'bun:sqlite'

import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDatabase,
  type SqliteStatement,
  type Transaction as KyselyTransaction,
} from 'kysely'
import { LRUCache } from 'lru-cache'

import { startCheckpoints } from './checkpoints'
import type { PostgresOptions } from './postgres'
import type { Tables } from './tables'

export type DatabaseKind = 'sqlite' | 'postgres'

export type Queries = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

export interface Database {
  readonly kind: DatabaseKind
  readonly query: Queries
  /** The same for statements that may take minutes: steps of the schema, scans of a whole table. */
  readonly patient: Queries
  close(): Promise<void>
}

/** `process` survives the death of the process, `power` also that of the machine. */
export type Durability = 'process' | 'power'

/** The database the operator configured: PostgreSQL by its URL, else the SQLite file. Only the driver that is used is loaded. */
export async function openDatabase(
  config: { databaseUrl: string; durability: Durability },
  sqlitePath: string,
  options?: PostgresOptions,
): Promise<Database> {
  if (!config.databaseUrl) return openBusySqlite(sqlitePath, config.durability)
  const { openPostgres } = await import('./postgres')
  return openPostgres(config.databaseUrl, options)
}

export const openSqlite = (path: string, durability: Durability = 'process'): Database =>
  databaseIn(openSqliteFile(path, durability))

/** One whose log is written into its file beside the connection, not by the statements that come upon a long one. */
function openBusySqlite(path: string, durability: Durability): Database {
  const file = openSqliteFile(path, durability)
  file.run(`pragma wal_autocheckpoint = ${pagesLeftBehind}`)
  const changes = file.query<{ changes: number }, []>('select total_changes() as changes')
  const checkpoints = startCheckpoints({ path, changes: () => changes.get()?.changes ?? 0 })
  const database = databaseIn(file)
  return {
    ...database,
    async close() {
      await checkpoints.stop()
      changes.finalize()
      await database.close()
    },
  }
}

/** 256 MB: the connection helps itself where the checkpoints beside it do not keep up. */
const pagesLeftBehind = 64_000

function databaseIn(file: SqliteFile): Database {
  const query = new Kysely<Tables>({ dialect: new TransactionalSqlite({ database: kyselyFace(file) }) })
  return { kind: 'sqlite', query, patient: query, close: () => query.destroy() }
}

/** SQLite changes a schema in transactions as it changes rows, which the library does not count on: a step of the schema is made or not. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

class TransactionalSqlite extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter()
  }
}

/** A SQLite file in WAL mode, waiting up to ten seconds for another process's write. */
function openSqliteFile(path: string, durability: Durability): SqliteFile {
  const file = new SqliteFile(path, { create: true, strict: true })
  file.run('pragma busy_timeout = 10000')
  file.run('pragma journal_mode = wal')
  file.run(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
  file.run('pragma foreign_keys = on')
  file.run('pragma cache_size = -16000')
  // What may have to be undone of a statement over many rows stays in memory.
  file.run('pragma temp_store = memory')
  // A checkpoint waits for the disk: every 32 MB instead of every 4.
  file.run('pragma wal_autocheckpoint = 8000')
  return file
}

/** Enough for every statement of the path of a call; lists of ids make many texts of one query. */
const cachedStatements = 500

/**
 * What Kysely's own SQLite dialect asks of a driver, on bun:sqlite. Statements are cached by their text, here because
 * the runtime's own cache ends at twenty. Transactions take the write lock at once: one that reads first and writes later
 * would fail when another process wrote in between.
 */
function kyselyFace(file: SqliteFile): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: cachedStatements })
  return {
    close: () => file.close(),
    prepare(text) {
      const known = statements.get(text)
      if (known) return known
      const statement = preparedFace(file.prepare(text === 'begin' ? 'begin immediate' : text))
      statements.set(text, statement)
      return statement
    },
  }
}

function preparedFace(statement: Statement): SqliteStatement {
  return {
    reader: statement.columnNames.length > 0,
    all: (values) => statement.all(...bindable(values)),
    run: (values) => statement.run(...bindable(values)),
    iterate: (values) => statement.iterate(...bindable(values)),
  }
}

type Bindable = string | number | bigint | boolean | null | Uint8Array

function bindable(values: readonly unknown[]): Bindable[] {
  return values.map((value) => {
    if (value === undefined) return null
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
    if (typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Uint8Array) return value
    throw new TypeError(`A ${typeof value} cannot be bound to a statement`)
  })
}
