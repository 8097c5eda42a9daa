import { afterAll, beforeAll, describe, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Glob } from 'bun'
import { sql } from 'kysely'
import { Client } from 'pg'

import { openSqlite, type Database, type DatabaseKind } from '../src/platform/store/database'
import { openPostgres } from '../src/platform/store/postgres'
import { migrate } from '../src/platform/store/migrate'
import { onceOf } from './kinds'
import { leftOpen } from './left-open'
import { originalOf, restore, type Original } from './used-postgres'

/** The PostgreSQL server for tests; the test command starts one and sets it. */
const serverUrl = process.env['TEST_POSTGRES_URL']

/** The available kinds of databases, for suites that build their own worlds. */
export const eachDatabase: readonly DatabaseKind[] = serverUrl ? ['sqlite', 'postgres'] : ['sqlite']

export interface TestDatabase {
  database: Database
  /** For a second connection to the same data: a path (sqlite) or a URL (postgres). */
  location: string
  drop(): Promise<void>
}

/** Creates a migrated, empty database, in a temporary folder or on the test server. */
export async function freshDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === 'postgres') return openTestDatabase(await migratedPostgres())
  return freshSqlite(migratedSqlite)
}

/** Creates a database without tables. */
export const emptyDatabase = async (kind: DatabaseKind): Promise<TestDatabase> =>
  kind === 'sqlite' ? freshSqlite() : openTestDatabase(await emptyPostgres())

async function freshSqlite(fill?: (path: string) => Promise<void>): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const location = join(folder, 'tollgate.sqlite')
  await fill?.(location)
  const database = openSqlite(location)
  return {
    database,
    location,
    async drop() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let sqliteTemplate: Promise<Uint8Array> | undefined

/** Puts a migrated, empty database at a path: a copy, since all the steps take longer than most tests. */
export async function migratedSqlite(path: string): Promise<void> {
  writeFileSync(path, await (sqliteTemplate ??= makeSqliteTemplate()))
}

async function makeSqliteTemplate(): Promise<Uint8Array> {
  const fresh = await freshSqlite()
  const { database, location } = fresh
  await migrate(database)
  await sql`pragma wal_checkpoint(truncate)`.execute(database.query)
  const bytes = await Bun.file(location).bytes()
  await fresh.drop()
  return bytes
}

interface OwnPostgres {
  readonly url: string
  drop(): Promise<void>
}

function openTestDatabase(own: OwnPostgres): TestDatabase {
  const database = openPostgres(own.url, { connections: 8 })
  return {
    database,
    location: own.url,
    async drop() {
      await database.close()
      await own.drop()
    },
  }
}

/** Creates a database without tables on the test server. */
export async function emptyPostgres(): Promise<OwnPostgres> {
  const name = await createPostgres('template1')
  return { url: at(serverOrThrow(), name), drop: () => dropPostgres(name) }
}

let template: Promise<string> | undefined
let original: Promise<Original> | undefined

/** A migrated database with a connection that restores it: a new one would read the whole catalog again, which takes longer than all else. */
interface Reusable {
  readonly name: string
  readonly keeper: Client
}

/** Those that were used and restored: creating another takes ten times as long. */
const restored: Reusable[] = []
leftOpen.push(async () => {
  for (const reusable of restored.splice(0)) await dropReusable(reusable)
})

/** Resolves with a migrated, empty database on the test server, for a user that was never there before. */
export async function migratedPostgres(): Promise<OwnPostgres> {
  const reusable = restored.pop() ?? (await createReusable())
  const user = freshName()
  const url = new URL(at(serverOrThrow(), reusable.name))
  url.username = user
  await reusable.keeper.query(`create role ${user} superuser login ${passwordOf(reusable.keeper, url)}`)
  return { url: url.href, drop: () => giveBack(reusable, user) }
}

async function createReusable(): Promise<Reusable> {
  const name = await createPostgres(await (template ??= makeTemplate()))
  const keeper = await connect(at(serverOrThrow(), name))
  await (original ??= originalOf(keeper))
  return { name, keeper }
}

const passwordOf = (client: Client, { password }: URL) =>
  password && `password ${client.escapeLiteral(decodeURIComponent(password))}`

/** Open connections are cut, and what connects again finds no user. */
async function giveBack(reusable: Reusable, user: string): Promise<void> {
  const isRestored = await restoreFrom(reusable.keeper, user).catch(() => false)
  if (isRestored) restored.push(reusable)
  else {
    await dropReusable(reusable)
    await (await serverConnection()).query(`drop role ${user}`)
  }
}

/** Resolves with false where the user owns what it has added to the schema. @throws Error where a test has cut the connection. */
async function restoreFrom(keeper: Client, user: string): Promise<boolean> {
  await keeper.query(`alter role ${user} nologin`)
  await endConnections(keeper, user)
  if (!original || !(await restore(keeper, await original))) return false
  await keeper.query(`drop role ${user}`)
  return true
}

async function dropReusable({ name, keeper }: Reusable): Promise<void> {
  await keeper.end()
  await dropPostgres(name)
}

const maxRounds = 100

/** Sees to it that the connections of a user are over: emptying tables would wait for what they lock. */
async function endConnections(server: Client, user: string): Promise<void> {
  const end = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1'
  for (let round = 0; round < maxRounds; round += 1) {
    const { rowCount } = await server.query(end, [user])
    if (rowCount === 0) return
    await Bun.sleep(1)
  }
}

const freshName = () => `t_${crypto.randomUUID().replaceAll('-', '')}`

async function createPostgres(from: string): Promise<string> {
  const name = freshName()
  await (await serverConnection()).query(`create database ${name} template ${from}`)
  return name
}

async function dropPostgres(name: string): Promise<void> {
  await (await serverConnection()).query(`drop database ${name} with (force)`)
}

let connection: Promise<Client> | undefined

/** Resolves with the connection that creates and drops databases. A process has one: opening it costs the server more than its work. */
function serverConnection(): Promise<Client> {
  return (connection ??= connect(serverOrThrow()).then((client) => {
    leftOpen.push(() => client.end())
    return client
  }))
}

/** An arbitrary number that no other lock uses. */
const templateLock = 7_306_502

/** Created once per schema, by whichever process comes first, and kept for the next run on the same server. */
async function makeTemplate(): Promise<string> {
  const server = serverOrThrow()
  const name = `schema_${await schemaStamp()}`
  await onServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    // Renamed only once it is complete.
    const unfinished = `${name}_${process.pid}`
    await client.query(`create database ${unfinished}`)
    const database = openPostgres(at(server, unfinished), { connections: 1 })
    await migrate(database)
    await database.close()
    await client.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}

async function schemaStamp(): Promise<string> {
  const store = join(import.meta.dir, '../src/platform/store')
  // Braces around a path with a slash match nothing, and the hash of nothing never changes.
  const folders = ['migrations/*.ts', 'schema/*.ts'].flatMap((files) => [...new Glob(files).scanSync(store)])
  const files = ['migrate.ts', ...folders.sort()]
  const texts = await Promise.all(files.map((file) => Bun.file(join(store, file)).text()))
  return new Bun.CryptoHasher('sha256').update(texts.join('\n')).digest('hex').slice(0, 24)
}

function serverOrThrow(): string {
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set')
  return serverUrl
}

function at(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Ends the connection whatever happens, and with it its locks. */
async function onServer<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // Tests cut connections: the next query fails.
  client.on('error', () => {})
  await client.connect()
  return client
}

type Suite = (world: () => TestDatabase, once: ReturnType<typeof onceOf>) => void

/** Runs a suite on SQLite and on PostgreSQL; the latter is skipped by name where no server is available. */
export function onBothDatabases(name: string, suite: Suite): void {
  onDatabase('sqlite', name, suite)
  onDatabase('postgres', name, suite)
}

/** Runs a suite on one kind of database. */
export function onDatabase(kind: DatabaseKind, name: string, suite: Suite): void {
  describe(`${name} (${kind})`, () => {
    if (kind === 'postgres' && !serverUrl) {
      test.skip('PostgreSQL tests need a server: TEST_POSTGRES_URL is not set', () => {})
      return
    }
    let current: TestDatabase | undefined
    beforeAll(async () => {
      current = await freshDatabase(kind)
    })
    afterAll(() => current?.drop())
    suite(() => {
      if (!current) throw new Error('The database is not open yet')
      return current
    }, onceOf(kind))
  })
}
