import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, renameSync } from 'node:fs'

import { sql } from 'kysely'

import { examine } from '../../operations/examine'
import { lineOf } from '../../operations/finding'
import type { MoveSource } from '../../operations/move/copied-table'
import { moveRows } from '../../operations/move/move-rows'
import { computedColumns, PostgresStore } from '../../operations/move/postgres-store'
import { SqliteStore } from '../../operations/move/sqlite-store'
import { partitionHistory } from '../../operations/retention/log-partitions'
import { readConfig, type Config } from '../../platform/config/config'
import { pathsIn } from '../../platform/store/data-folder'
import { openSqlite, type Database } from '../../platform/store/database'
import { isMoving, migrate, schemaState } from '../../platform/store/migrate'
import { openPostgres } from '../../platform/store/postgres'
import { PostgresCopies } from '../../platform/store/postgres-copy'
import { systemClock } from '../../platform/time/clock'
import { auditCommand } from './act'
import { CommandError, UsageError, type Command, type CommandWorld } from './command'
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
    'A move that is interrupted goes on where it was when it is repeated; until it is done, no gateway starts on its target. Every table is',
    'compared in the end, by the number of its rows and a hash of them. tollgate reconcile says afterwards whether all of it adds up.',
  ],
  async run([word, ...rest], { environment, print }) {
    const direction = directions.find((known) => known === word)
    if (!direction || rest.length > 0) throw new UsageError(`move takes ${directions.join(' or ')}.`)
    const config = readConfig(environment)
    if (!config.databaseUrl) throw new CommandError('Set DATABASE_URL to the PostgreSQL.')
    const paths = pathsIn(config.dataDir)
    await withFolderLock(paths, () => moveData({ direction, config, paths, print }))
    const { databaseUrl } = config
    const after = { ...environment, DATABASE_URL: direction === 'to-postgres' ? databaseUrl : undefined }
    for (const finding of (await examine(after, 'en')).findings) print(lineOf(finding))
    print(reminders[direction])
    return 0
  },
}

const reminders: Readonly<Record<Direction, string>> = {
  'to-postgres': 'Done. Start the gateway with DATABASE_URL; tollgate reconcile compares all sums.',
  'to-sqlite': 'Done. Start the gateway without DATABASE_URL; tollgate reconcile compares all sums.',
}

interface MoveOptions extends Pick<CommandWorld, 'print'> {
  readonly direction: Direction
  readonly config: Config
  readonly paths: Paths
}

async function moveData({ direction, config, paths: { sqlitePath }, print }: MoveOptions): Promise<void> {
  if (direction === 'to-sqlite' && existsSync(sqlitePath))
    throw new CommandError(`There is a database at ${sqlitePath} already. Move it away.`)
  const server = openPostgres(config.databaseUrl, { connections: 2 })
  const copies = new PostgresCopies(config.databaseUrl)
  const storeOf: StoreOf = (tables) => new PostgresStore(server, copies, tables)
  try {
    if (direction === 'to-sqlite') {
      await toSqlite({ server, storeOf, print }, `${sqlitePath}.part`)
      renameDatabase(`${sqlitePath}.part`, sqlitePath)
      return
    }
    // What was interrupted after the file was renamed has nothing left to copy.
    if (existsSync(sqlitePath) || !existsSync(`${sqlitePath}.moved`) || !(await isMoving(server)))
      await toPostgres({ server, storeOf, print }, sqlitePath)
    // A start that lacks DATABASE_URL must not serve what was true before.
    renameDatabase(sqlitePath, `${sqlitePath}.moved`)
    await storeOf(() => Promise.resolve([])).finish()
    await auditMove(server, 'to-postgres')
  } finally {
    await copies.close()
    await server.close()
  }
}

type StoreOf = (tables: MoveSource['tables']) => PostgresStore

interface Server extends Pick<CommandWorld, 'print'> {
  readonly server: Database
  readonly storeOf: StoreOf
}

/** A file's log belongs to it for as long as the runtime has not closed it. */
function renameDatabase(from: string, to: string): void {
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix)
}

async function toPostgres({ server, storeOf, print }: Server, sqlitePath: string): Promise<void> {
  if (!existsSync(sqlitePath)) throw new CommandError(`There is no database at ${sqlitePath}.`)
  await requireCurrent(sqlitePath)
  const isResumed = await isMoving(server)
  if (isResumed) await requireSchema(server)
  else {
    await requireUnused(server)
    await migrate(server)
  }
  const file = new SqliteFile(sqlitePath, { strict: true })
  try {
    if (!isResumed) await prepareMonths(file, server)
    const source = new SqliteStore(file, await computedColumns(server.query))
    await moveRows({ source, target: storeOf(() => source.tables()), print })
  } finally {
    file.close()
  }
}

/** The log is copied into partitions of months, so that old ones can be dropped. */
async function prepareMonths(file: SqliteFile, server: Database): Promise<void> {
  const { oldest } = file.query<{ oldest: number | null }, []>('select min(created_at) as oldest from logs').get() ?? {
    oldest: null,
  }
  await partitionHistory(server, systemClock.seconds(), oldest)
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

/** @throws CommandError where the database serves a gateway, also one that is not set up. */
async function requireUnused(server: Database): Promise<void> {
  if ((await schemaState(server)).isEmpty) return
  await requireStopped(server)
  const user = await server.query.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (user) throw new CommandError('The database at DATABASE_URL has users already. Name an empty one.')
}

async function toSqlite({ server, storeOf, print }: Server, part: string): Promise<void> {
  await requireSchema(server)
  await requireStopped(server)
  await onPart(part, async (fresh) => {
    if (!(await isMoving(fresh))) await migrate(fresh)
  })
  const file = new SqliteFile(part, { strict: true })
  try {
    const target = new SqliteStore(file, await computedColumns(server.query))
    await moveRows({ source: storeOf(() => target.tables()), target, print })
    await target.finish()
  } finally {
    file.close()
  }
  await onPart(part, (moved) => auditMove(moved, 'to-sqlite'))
}

async function onPart(part: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openSqlite(part)
  try {
    await work(database)
  } finally {
    await database.close()
  }
}
