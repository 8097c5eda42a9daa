import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'

/** Kysely's dialect for a driver of SQLite, wherever that runs its statements. */
export const sqliteDialectOf = (createDriver: () => Driver): Dialect => ({
  createAdapter: () => new TurnsAdapter(),
  createDriver,
  createIntrospector: (query) => new SqliteIntrospector(query),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

class TurnsAdapter extends SqliteAdapter {
  /** There is one connection, whose users the driver lets take turns. */
  override get supportsMultipleConnections() {
    return true
  }
  /**
   * SQLite runs schema changes in transactions, which the library does not assume: a step of the schema is made completely or not at all.
   */
  override get supportsTransactionalDdl() {
    return true
  }
}

/** Takes the write lock: a transaction that reads first and writes later would fail when another process wrote in between. */
const begin = CompiledQuery.raw('begin immediate')
export const commit = CompiledQuery.raw('commit')
export const rollback = CompiledQuery.raw('rollback')

export abstract class SqliteDriver implements Driver {
  abstract acquireConnection(): Promise<DatabaseConnection>
  abstract releaseConnection(connection: DatabaseConnection): Promise<void>
  abstract destroy(): Promise<void>

  async init() {}

  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(begin)
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(commit)
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(rollback)
  }
}

export abstract class SqliteConnection implements DatabaseConnection {
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }
}

export type Bindable = string | number | bigint | boolean | null | Uint8Array

/** @throws TypeError for what SQLite would take for something else. */
export function bindable(values: readonly unknown[]): Bindable[] {
  return values.map((value) => {
    if (value === undefined) return null
    // SQLite would take it for null, where PostgreSQL refuses it.
    if (Number.isNaN(value)) throw new TypeError('NaN cannot be bound to a statement')
    if (value === null || typeof value === 'string' || typeof value === 'number') return value
    if (typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Uint8Array) return value
    throw new TypeError(`A ${typeof value} cannot be bound to a statement`)
  })
}
