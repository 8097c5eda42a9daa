import { existsSync } from 'node:fs'

import { sql } from 'kysely'

import type { Config } from '../../platform/config/config'
import { messageOf } from '../../platform/text/message-of'
import { pathsIn } from '../../platform/store/data-folder'
import { openSqlite, type Database, type Queries } from '../../platform/store/database'
import { openPostgres } from '../../platform/store/postgres'
import { isTooOld, tooOldSentence } from '../../platform/store/earlier-builds'
import { incompatible, schemaState } from '../../platform/store/migrate'
import { CommandError } from './command'

/** Sums over a large database take longer than a gateway would wait for a statement. */
const statementTimeoutMs = 30 * 60_000

/**
 * Opens the gateway's database for reading while a gateway may run. Creates nothing and cannot write.
 * @throws CommandError when there is none, it cannot be read, or its schema is not that of this release.
 */
export async function openForReading(config: Config): Promise<Database> {
  const database = await openExisting(config)
  try {
    await checkSchema(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openExisting(config: Config): Promise<Database> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl, { connections: 1, statementTimeoutMs })
  const { sqlitePath } = pathsIn(config.dataDir)
  if (!existsSync(sqlitePath)) throw new CommandError(`There is no database ${sqlitePath}. Is DATA_DIR right?`)
  try {
    const database = openSqlite(sqlitePath)
    await sql`pragma query_only = on`.execute(database.query)
    return database
  } catch (error) {
    throw new CommandError(`The database ${sqlitePath} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

async function checkSchema(database: Database) {
  const state = await stateOf(database)
  const { missing, unknown } = state
  if (isTooOld(state)) throw new CommandError(tooOldSentence)
  if (incompatible(unknown).length > 0)
    throw new CommandError('The database belongs to a later release of Tollgate. Use that release.')
  if (missing.length > 0) {
    throw new CommandError('The database is not up to date. Start the gateway once: it upgrades the database.')
  }
}

async function stateOf(database: Database) {
  try {
    return await schemaState(database)
  } catch (error) {
    throw new CommandError(`The database cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

/** Reads everything as of one moment, whatever is charged meanwhile, and without blocking writers. */
export async function inSnapshot<T>(database: Database, read: (query: Queries) => Promise<T>): Promise<T> {
  if (database.kind === 'postgres') {
    return database.query
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => read(transaction))
  }
  return database.query.connection().execute(async (connection) => {
    // Kysely's own transactions take the write lock at once.
    await sql`begin deferred`.execute(connection)
    try {
      return await read(connection)
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}
