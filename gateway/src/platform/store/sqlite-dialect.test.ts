import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Kysely, sql } from 'kysely'

import { openSqlite, type Database } from './database'
import { DatabaseUnavailableError } from './database-errors'
import { levelOf } from './database-watch'
import { migrate } from './migrate'
import { sqliteDialect } from './sqlite-dialect'

let folder: string
let path: string
let database: Database
let other: SqliteFile

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sqlite-'))
  path = join(folder, 'db.sqlite')
  database = openSqlite(path)
  await migrate(database)
  other = new SqliteFile(path)
})
afterEach(async () => {
  other.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const lockNames = async () =>
  (await database.query.selectFrom('locks').select('name').orderBy('name').execute()).map(({ name }) => name)
const insert = (name: string) =>
  database.query.insertInto('locks').values({ name, holder: 'h', expires_at: 1 }).execute()
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a write waits for the lock of another process while reads and the event loop go on', async () => {
  other.run('begin immediate')
  const done: string[] = []
  const alone = insert('alone').then(() => done.push('alone'))
  const transaction = database.query
    .transaction()
    .execute((transaction) =>
      transaction.insertInto('locks').values({ name: 'inside', holder: 'h', expires_at: 1 }).execute(),
    )
    .then(() => done.push('inside'))
  for (let turn = 0; turn < 50; turn += 1) {
    expect(await lockNames()).toEqual([])
    await nextTurn()
  }
  expect(done).toEqual([])
  other.run('commit')
  await Promise.all([alone, transaction])
  expect(await lockNames()).toEqual(['alone', 'inside'])
})

test('statements that follow one another let others have their turn', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    setImmediate(count).unref()
  }
  count()
  const before = turns
  const slow = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000) select max(i) from n`
  for (let done = 0; done < 10; done += 1) await slow.execute(database.query)
  expect(turns - before).toBeGreaterThan(1)
})

test('a write that never gets the lock fails as an unavailable database, and is reported', async () => {
  const impatient = new Kysely({ dialect: sqliteDialect(new SqliteFile(path), { lockTimeoutMs: 1 }) })
  other.run('begin immediate')
  const error = await sql`delete from locks`.execute(impatient).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(DatabaseUnavailableError)
  expect(levelOf(error, 'warn')).toBe('warn')
  const pendingTransaction = impatient.transaction().execute(() => Promise.resolve('begun'))
  expect(await pendingTransaction.catch((error: unknown) => error)).toBeInstanceOf(DatabaseUnavailableError)
  other.run('rollback')
  await sql`delete from locks`.execute(impatient)
  expect(await impatient.transaction().execute(() => Promise.resolve('begun'))).toBe('begun')
  await impatient.destroy()
})

test('a transaction excludes all others of the process, and a failed one leaves nothing behind', async () => {
  const gate = Promise.withResolvers<void>()
  const failing = database.query
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('locks').values({ name: 'undone', holder: 'h', expires_at: 1 }).execute()
      await gate.promise
      throw new RangeError('undone')
    })
    .catch(String)
  const after = insert('after')
  let isAfter = false
  void after.then(() => (isAfter = true))
  await nextTurn()
  expect(isAfter).toBe(false)
  gate.resolve()
  expect(await failing).toBe('RangeError: undone')
  await after
  expect(await lockNames()).toEqual(['after'])
})

test('a transaction that SQLite rolled back by itself is over', async () => {
  await insert('first')
  const failed = database.query.transaction().execute(async (transaction) => {
    await transaction.insertInto('locks').values({ name: 'undone', holder: 'h', expires_at: 1 }).execute()
    await sql`insert or rollback into locks (name, holder, expires_at) values ('first', 'h', 1)`.execute(transaction)
  })
  expect(await failed.catch(String)).toContain('UNIQUE constraint failed')
  await insert('next')
  expect(await lockNames()).toEqual(['first', 'next'])
})

test('NaN is refused, as PostgreSQL does, and not stored as null', async () => {
  const query = database.query.selectFrom('locks').select('name').where('expires_at', '>', NaN).execute()
  expect(await query.catch(String)).toBe('TypeError: NaN cannot be bound to a statement')
})

test('a connection that is released in the middle of a transaction rolls it back', async () => {
  await database.query.connection().execute(async (connection) => {
    await sql`begin deferred`.execute(connection)
    await sql`insert into locks (name, holder, expires_at) values (${'left'}, 'h', 1)`.execute(connection)
  })
  expect(await lockNames()).toEqual([])
  await insert('next')
  expect(await lockNames()).toEqual(['next'])
})
