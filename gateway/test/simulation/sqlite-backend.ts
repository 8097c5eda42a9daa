import { openSqlite, type Database } from '../../src/platform/store/database'
import { migrate } from '../../src/platform/store/migrate'
import { holdConnection, type Backend, type Session } from './backend'

/** A SQLite database in memory: one session, whose write lock serializes transactions. */
export async function openSqliteBackend(prepare: (database: Database) => Promise<void>): Promise<Backend> {
  const database = openSqlite(':memory:')
  await migrate(database)
  await prepare(database)
  const held = await holdConnection(database.query.getExecutor())
  const session: Session = {
    execute: (compiled) =>
      held.connection.executeQuery(compiled).then(
        (result) => ({ result }),
        (error: unknown) => ({ error }),
      ),
    outcome: () => Promise.resolve(null),
    end: () => Promise.resolve(),
    isEnded: false,
  }
  return {
    kind: 'sqlite',
    isExclusive: true,
    observer: held.connection,
    isFull: false,
    acquire: () => Promise.resolve(session),
    release() {},
    async close() {
      await held.close()
      await database.close()
    },
  }
}
