import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

import type { DatabaseKind } from '../../src/platform/store/database'

/** The outcome of a statement. */
export type Outcome = { readonly result: QueryResult<unknown> } | { readonly error: unknown }

/** One session of the real database. It runs one statement at a time. */
export interface Session {
  /** Resolves with the outcome of a statement; with null where it may wait and a lock of another session blocks it. */
  execute(compiled: CompiledQuery, mayWait: boolean): Promise<Outcome | null>
  /** Resolves as `execute` does, for the blocked statement. */
  outcome(): Promise<Outcome | null>
  /** Ends the session while its statement waits; the database rolls back. */
  end(): Promise<void>
  readonly isEnded: boolean
}

/** The real database behind a simulation. */
export interface Backend {
  readonly kind: DatabaseKind
  /** An open transaction keeps all other sessions out. */
  readonly isExclusive: boolean
  /** Reads what is committed, outside every transaction of the simulation. */
  readonly observer: DatabaseConnection
  /** All sessions are taken. */
  readonly isFull: boolean
  acquire(): Promise<Session>
  release(session: Session): void
  close(): Promise<void>
}

/** A connection that stays open until `close` is called. */
export interface HeldConnection {
  readonly connection: DatabaseConnection
  close(): Promise<void>
}

interface Provider {
  provideConnection(consumer: (connection: DatabaseConnection) => Promise<void>): Promise<void>
}

export async function holdConnection(provider: Provider): Promise<HeldConnection> {
  const connected = Promise.withResolvers<DatabaseConnection>()
  const closing = Promise.withResolvers<void>()
  const held = provider.provideConnection(async (connection) => {
    connected.resolve(connection)
    await closing.promise
  })
  held.catch(connected.reject)
  return {
    connection: await connected.promise,
    async close() {
      closing.resolve()
      await held
    },
  }
}
