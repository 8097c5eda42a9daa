import { afterAll, beforeAll, describe, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { openSqlite, type Database, type DatabaseKind } from '../src/store/database'
import { openPostgres } from '../src/store/postgres'
import { migrate } from '../src/store/migrate'

/** The PostgreSQL server tests may use; the test command starts one and sets it. */
const serverUrl = process.env['TEST_POSTGRES_URL']

/** The kinds of database at hand, for suites that build their own worlds. */
export const eachDatabase: readonly DatabaseKind[] = serverUrl ? ['sqlite', 'postgres'] : ['sqlite']

export interface TestDatabase {
  database: Database
  /** For a second connection to the same data: a path (sqlite) or a URL (postgres). */
  location: string
  drop(): Promise<void>
}

/** A migrated, empty database of its own, in a temporary folder or on the test server. */
export async function freshDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const fresh = await emptyDatabase(kind)
  await migrate(fresh.database)
  return fresh
}

/** One without tables. */
export const emptyDatabase = async (kind: DatabaseKind): Promise<TestDatabase> =>
  kind === 'sqlite' ? freshSqlite() : freshPostgres()

function freshSqlite(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const location = join(folder, 'tollgate.sqlite')
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

async function freshPostgres(): Promise<TestDatabase> {
  const empty = await emptyPostgres()
  const database = openPostgres(empty.url, { connections: 8 })
  return {
    database,
    location: empty.url,
    async drop() {
      await database.close()
      await empty.drop()
    },
  }
}

/** A database without tables on the test server. */
export async function emptyPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set')
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(serverUrl, `drop database ${name} with (force)`) }
}

async function onServer(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

type Suite = (world: () => TestDatabase) => void

/** Run a suite on SQLite and on PostgreSQL; the latter is skipped by name where no server is at hand. */
export function onBothDatabases(name: string, suite: Suite): void {
  onDatabase('sqlite', name, suite)
  onDatabase('postgres', name, suite)
}

/** Run a suite on one kind of database. */
export function onDatabase(kind: DatabaseKind, name: string, suite: Suite): void {
  describe(`${name} (${kind})`, () => {
    if (kind === 'postgres' && !serverUrl) {
      test.skip('needs a PostgreSQL server: TEST_POSTGRES_URL is not set', () => {})
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
    })
  })
}
