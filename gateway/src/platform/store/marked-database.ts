import {
  CompiledQuery,
  Kysely,
  type DatabaseConnection,
  type Driver,
  type QueryExecutor,
  type QueryResult,
} from 'kysely'

import type { Database, Queries } from './database'
import type { Tables } from './tables'

/**
 * Returns a view of a database in which every transaction that changes something, and every change outside of one, is committed together
 * with `mark`: either both are there after a crash, or neither.
 * @param mark throws what the change is rolled back for
 */
export function markedDatabase(database: Database, mark: Mark): Database {
  return { ...database, query: markedQueries(database.query, mark) }
}

/** Returns a view of a database that refuses a second transaction that changes something. */
export function changedOnce(database: Database, name: string): Database {
  let count = 0
  return markedDatabase(database, () => {
    count += 1
    if (count > 1) throw new Error(`${name} changes the database in several steps, and is not declared compound`)
    return Promise.resolve()
  })
}

/** Runs a statement within the transaction that is about to be committed. Resolves with how many rows it changed. */
type RunOnConnection = (query: CompiledQuery) => Promise<bigint>
export type Mark = (run: RunOnConnection) => Promise<void>

function markedQueries(queries: Queries, mark: Mark): Queries {
  const executor = queries.getExecutor()
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => executor.adapter,
      createDriver: () => new MarkingDriver(executor, mark),
      createIntrospector: () => queries.introspection,
      createQueryCompiler: () => ({ compileQuery: (node, id) => executor.compileQuery(node, id) }),
    },
  })
}

class MarkingDriver implements Driver {
  constructor(
    readonly executor: QueryExecutor,
    readonly mark: Mark,
  ) {}

  async init() {}
  acquireConnection(): Promise<MarkedConnection> {
    return new Promise((resolve, reject) => {
      this.executor
        .provideConnection(
          (connection) => new Promise<void>((release) => resolve(new MarkedConnection(connection, release, this.mark))),
        )
        .catch(reject)
    })
  }
  beginTransaction = (connection: MarkedConnection) => connection.begin()
  commitTransaction = (connection: MarkedConnection) => connection.commit()
  rollbackTransaction = (connection: MarkedConnection) => connection.rollBack()
  async releaseConnection(connection: MarkedConnection) {
    connection.release()
  }
  /** The connections are those of the database underneath. */
  async destroy() {}
}

class MarkedConnection implements DatabaseConnection {
  #isInside = false
  #hasChanges = false

  constructor(
    readonly inner: DatabaseConnection,
    readonly release: () => void,
    readonly mark: Mark,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const control = controlOf(query)
    if (control) {
      await this[control]()
      return { rows: [] }
    }
    if (!isChange(query)) return this.inner.executeQuery<Row>(query)
    if (this.#isInside) return this.#change<Row>(query)
    await this.begin()
    try {
      const result = await this.#change<Row>(query)
      await this.commit()
      return result
    } catch (error) {
      await this.rollBack()
      throw error
    }
  }

  async #change<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.inner.executeQuery<Row>(query)
    // Statements that return rows do not count those that they change.
    if (result.numAffectedRows !== 0n) this.#hasChanges = true
    return result
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number) {
    return this.inner.streamQuery<Row>(query, chunkSize)
  }

  async begin() {
    await this.inner.executeQuery(begin)
    this.#isInside = true
  }

  async commit() {
    if (this.#hasChanges) await this.mark(async (query) => (await this.inner.executeQuery(query)).numAffectedRows ?? 0n)
    await this.inner.executeQuery(commit)
    this.#isInside = false
  }

  async rollBack() {
    this.#isInside = false
    await this.inner.executeQuery(rollback)
  }
}

const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')

const isChange = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'RawNode' ? !/^\s*select\b/i.test(sql) : query.kind !== 'SelectQueryNode'

/** Where views are stacked, the inner one is told of transactions by their words. */
function controlOf({ sql }: CompiledQuery): 'begin' | 'commit' | 'rollBack' | null {
  if (sql === begin.sql) return 'begin'
  if (sql === commit.sql) return 'commit'
  return sql === rollback.sql ? 'rollBack' : null
}
