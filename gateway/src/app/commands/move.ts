import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, renameSync, rmSync } from 'node:fs'

import { sql } from 'kysely'

import { readConfig, type Config } from '../../platform/config/config'
import { pathsIn } from '../../platform/store/data-folder'
import { openSqlite, type Database } from '../../platform/store/database'
import { migrate, schemaState } from '../../platform/store/migrate'
import { openPostgres } from '../../platform/store/postgres'
import { copyToPostgres, copyToSqlite, type Copied } from '../../operations/copy-database'
import { auditCommand } from './act'
import { CommandError, UsageError, type Command } from './command'
import { requireSchema, requireStopped, withFolderLock } from './stopped-gateway'

const directions = ['to-postgres', 'to-sqlite'] as const
type Direction = (typeof directions)[number]
type Paths = ReturnType<typeof pathsIn>

/** Moves the gateway from SQLite to PostgreSQL, or back. */
export const move: Command = {
  name: 'move',
  parameters: directions.join('|'),
  summary: 'Copy the database of DATA_DIR into the empty one of DATABASE_URL, or back.',
  details: [
    'The gateway must not run. DATABASE_URL names the PostgreSQL in both directions.',
    'to-postgres: the SQLite file is renamed to tollgate.sqlite.moved when all of it was copied. Start the gateway with DATABASE_URL then.',
    'to-sqlite: every node must be stopped in order, so that its journal is empty. Start the gateway without DATABASE_URL then.',
    'Everything is copied in one transaction, or nothing. tollgate reconcile says afterwards whether all of it adds up.',
  ],
  async run([word, ...rest], { environment, print }) {
    const direction = directions.find((known) => known === word)
    if (!direction || rest.length > 0) throw new UsageError(`move takes ${directions.join(' or ')}.`)
    const config = readConfig(environment)
    if (!config.databaseUrl) throw new CommandError('Set DATABASE_URL to the PostgreSQL.')
    const paths = pathsIn(config.dataDir)
    const copied = await withFolderLock(paths, () => moveData(direction, config, paths))
    for (const [table, count] of copied) if (count > 0) print(`${table}: ${count}`)
    print(reminders[direction])
    return 0
  },
}

const reminders: Readonly<Record<Direction, string>> = {
  'to-postgres': 'Done. Start the gateway with DATABASE_URL; tollgate reconcile compares all sums.',
  'to-sqlite': 'Done. Start the gateway without DATABASE_URL; tollgate reconcile compares all sums.',
}

async function moveData(direction: Direction, { databaseUrl }: Config, { sqlitePath }: Paths): Promise<Copied> {
  if (direction === 'to-sqlite' && existsSync(sqlitePath))
    throw new CommandError(`There is a database at ${sqlitePath} already. Move it away.`)
  const server = openPostgres(databaseUrl, { connections: 2 })
  try {
    if (direction === 'to-sqlite') {
      const copied = await toSqlite(server, `${sqlitePath}.part`)
      renameDatabase(`${sqlitePath}.part`, sqlitePath)
      return copied
    }
    const copied = await toPostgres(sqlitePath, server)
    // A start that lacks DATABASE_URL must not serve what was true before.
    renameDatabase(sqlitePath, `${sqlitePath}.moved`)
    return copied
  } finally {
    await server.close()
  }
}

/** A file's log belongs to it for as long as the runtime has not closed it. */
function renameDatabase(from: string, to: string): void {
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
}

async function toPostgres(sqlitePath: string, server: Database): Promise<Copied> {
  if (!existsSync(sqlitePath)) throw new CommandError(`There is no database at ${sqlitePath}.`)
  await requireCurrent(sqlitePath)
  await requireUnused(server)
  await migrate(server)
  const file = new SqliteFile(sqlitePath, { strict: true })
  try {
    const copied = await copyToPostgres(file, server)
    await auditMove(server, 'to-postgres')
    return copied
  } finally {
    file.close()
  }
}

const auditMove = ({ query }: Database, direction: Direction): Promise<void> =>
  auditCommand(query, { action: 'system.move', after: { direction } })

/** @throws CommandError where the file is of another release. */
async function requireCurrent(sqlitePath: string): Promise<void> {
  const database = openSqlite(sqlitePath)
  try {
    await requireSchema(database)
    await sql`pragma wal_checkpoint(truncate)`.execute(database.query)
  } finally {
    await database.close()
  }
}

/** A move that failed leaves tables without rows. @throws CommandError where the database serves a gateway, also one that is not set up. */
async function requireUnused(server: Database): Promise<void> {
  if ((await schemaState(server)).isEmpty) return
  await requireStopped(server)
  const user = await server.query.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user) throw new CommandError('The database at DATABASE_URL has users already. Name an empty one.')
}

async function toSqlite(server: Database, part: string): Promise<Copied> {
  await requireSchema(server)
  await requireStopped(server)
  for (const name of [part, `${part}-wal`, `${part}-shm`]) rmSync(name, { force: true })
  const fresh = openSqlite(part)
  try {
    await migrate(fresh)
    const file = new SqliteFile(part, { strict: true })
    const copied = await copyToSqlite(server, file).finally(() => file.close())
    await auditMove(fresh, 'to-sqlite')
    return copied
  } finally {
    await fresh.close()
  }
}
