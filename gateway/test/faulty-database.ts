import {
  CompiledQuery,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
} from 'kysely'

import type { Database } from '../src/platform/store/database'
import type { Tables } from '../src/platform/store/tables'

/** Decides for each call of the database what goes wrong: nothing, the call, or only its response. */
export type Fault = 'none' | 'refused' | 'answer-lost'
export type NextFault = (statement: string) => Fault

/** Wraps a database so that a worker's calls may fail: each statement, begin and commit. */
export function faultyDatabase(database: Database, nextFault: NextFault): Database {
  const executor = database.query.getExecutor()
  const releases = new WeakMap<DatabaseConnection, () => Promise<void>>()

  const acquire = () => {
    const acquired = Promise.withResolvers<DatabaseConnection>()
    const released = Promise.withResolvers<void>()
    executor
      .provideConnection(async (connection) => {
        const faulty = faultyConnection(connection, nextFault)
        releases.set(faulty, async () => {
          await rollBack(faulty)
          released.resolve()
        })
        acquired.resolve(faulty)
        await released.promise
      })
      .catch(acquired.reject)
    return acquired.promise
  }

  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: acquire,
    beginTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw('begin'))),
    commitTransaction: async (connection) => void (await connection.executeQuery(CompiledQuery.raw('commit'))),
    rollbackTransaction: rollBack,
    // A database rolls back by itself what a lost connection left open.
    releaseConnection: async (connection) => releases.get(connection)?.(),
    destroy: () => Promise.resolve(),
  }
  const isSqlite = database.kind === 'sqlite'
  const query = new Kysely<Tables>({
    dialect: {
      // One connection at a time is the wrapped database's rule, not the wrapper's.
      createAdapter: () => executor.adapter,
      createDriver: () => driver,
      createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
    },
  })
  return { kind: database.kind, query, longRunning: query, removal: query, close: () => Promise.resolve() }
}

const rollBack = async (connection: DatabaseConnection) =>
  void (await connection.executeQuery(CompiledQuery.raw('rollback')))

export class LostConnection extends Error {
  override readonly name = 'LostConnection'
}

function faultyConnection(connection: DatabaseConnection, nextFault: NextFault): DatabaseConnection {
  let isOpen = false
  return {
    async executeQuery<Row>(compiled: CompiledQuery) {
      if (compiled.sql === 'rollback') {
        if (isOpen) await connection.executeQuery(compiled)
        isOpen = false
        return { rows: [] }
      }
      const fault = nextFault(compiled.sql)
      if (fault === 'refused') throw new LostConnection(compiled.sql)
      const result = await connection.executeQuery<Row>(compiled)
      if (compiled.sql === 'begin') isOpen = true
      if (compiled.sql === 'commit') isOpen = false
      if (fault === 'answer-lost') throw new LostConnection(compiled.sql)
      return result
    },
    streamQuery: () => {
      throw new Error('The ledger streams nothing')
    },
  }
}
