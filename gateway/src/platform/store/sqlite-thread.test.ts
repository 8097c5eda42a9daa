import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { openBusySqlite, type Database } from './database'
import { migrate } from './migrate'

let folder: string
let database: Database
let other: SqliteFile

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-thread-'))
  const path = join(folder, 'db.sqlite')
  database = openBusySqlite(path, 'process')
  await migrate(database)
  other = new SqliteFile(path)
})
afterEach(async () => {
  other.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

const names = async () =>
  (await database.query.selectFrom('locks').select('name').orderBy('name').execute()).map(({ name }) => name)
const aLock = (name: string) => ({ name, holder: 'h', expires_at: 1 })

test('rows are written, counted and returned through the thread', async () => {
  const { removal } = database
  await removal.insertInto('locks').values(['a', 'b', 'c'].map(aLock)).execute()
  expect(await removal.deleteFrom('locks').where('name', '=', 'a').executeTakeFirst()).toEqual({ numDeletedRows: 1n })
  expect(await removal.deleteFrom('locks').where('name', '=', 'b').returning('holder').execute()).toEqual([
    { holder: 'h' },
  ])
  expect(await names()).toEqual(['c'])
})

test('a removal that waits for a lock holds up neither the event loop nor other statements', async () => {
  await database.query.insertInto('locks').values(aLock('old')).execute()
  other.run('begin immediate')
  let isDone = false
  const removed = database.removal
    .deleteFrom('locks')
    .execute()
    .then(() => (isDone = true))
  for (let turn = 0; turn < 50; turn += 1) {
    expect(await names()).toEqual(['old'])
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isDone).toBe(false)
  other.run('commit')
  await removed
  expect(await names()).toEqual([])
})

test('a transaction on the thread is made as a whole, and a failed one leaves nothing', async () => {
  const write = (name: string) =>
    database.removal.transaction().execute(async (transaction) => {
      await transaction.insertInto('locks').values(aLock(name)).execute()
      if (name === 'bad') await sql`select no_such_column from locks`.execute(transaction)
    })
  const results = await Promise.allSettled([write('good'), write('bad'), write('last')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await names()).toEqual(['good', 'last'])
})
