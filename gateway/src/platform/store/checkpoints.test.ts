import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { eventually } from '../../../test/eventually'
import { Checkpoints } from './checkpoints'
import { openDatabase } from './open-database'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tollgate-checkpoints-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function openFile() {
  const path = join(folder, 'some.sqlite')
  const file = new SqliteFile(path, { create: true, strict: true })
  file.run('pragma journal_mode = wal')
  file.run('pragma wal_autocheckpoint = 0')
  file.run('create table rows (text text)')
  const insert = file.prepare('insert into rows values (?)')
  const changes = file.query<{ changes: number }, []>('select total_changes() as changes')
  return {
    path,
    file,
    write: file.transaction((count: number) => {
      for (let row = 0; row < count; row += 1) insert.run('x'.repeat(200))
    }),
    changes: () => changes.get()?.changes ?? 0,
  }
}

test('the log is checkpointed into the file by another thread, and does not grow for ever', async () => {
  const { path, file, write, changes } = openFile()
  const checkpoints = Checkpoints.start({ path, changes, everyMs: 5 })
  /** Frames of the log, and those of them that are in the file. https://www.sqlite.org/walformat.html */
  const isInFile = async () => {
    const index = new DataView(await Bun.file(`${path}-shm`).arrayBuffer())
    return index.getUint32(16, true) === index.getUint32(96, true) || null
  }
  write(20_000)
  await eventually(isInFile)
  const first = statSync(`${path}-wal`).size
  for (let round = 0; round < 40; round += 1) {
    // It begins the log anew, all of which is in the file.
    write(6000)
    await eventually(isInFile)
  }
  expect(statSync(`${path}-wal`).size).toBe(first)
  await checkpoints.stop()
  file.close()
  const again = new SqliteFile(path)
  expect(again.query('select count(*) as rows from rows').get()).toEqual({ rows: 260_000 })
  again.close()
})

test('the log stays short while many rows are changed by work that keeps up', async () => {
  const { path, file, write, changes } = openFile()
  const checkpoints = Checkpoints.start({ path, changes, everyMs: 3_600_000 })
  write(100)
  await checkpoints.keepUp()
  expect(checkpoints.hasThread()).toBe(false)
  write(6000)
  await checkpoints.keepUp()
  const first = statSync(`${path}-wal`).size
  for (let round = 0; round < 20; round += 1) {
    write(6000)
    await checkpoints.keepUp()
  }
  expect(statSync(`${path}-wal`).size).toBe(first)
  await checkpoints.stop()
  file.close()
})

test('few rows are not worth a thread', async () => {
  const { path, file, write, changes } = openFile()
  let looks = 0
  const countAndRead = () => {
    looks += 1
    return changes()
  }
  const checkpoints = Checkpoints.start({ path, changes: countAndRead, everyMs: 1 })
  write(100)
  const before = looks
  await eventually(async () => looks > before + 2 || null)
  expect(checkpoints.hasThread()).toBe(false)
  write(10_000)
  await eventually(async () => checkpoints.hasThread() || null)
  await checkpoints.stop()
  file.close()
})

test('a gateway’s database is checkpointed', async () => {
  const path = join(folder, 'gateway.sqlite')
  const database = await openDatabase({ databaseUrl: '', durability: 'process' }, path)
  await sql`create table rows (text text)`.execute(database.query)
  await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 20000)
    insert into rows select hex(zeroblob(100)) from counted`.execute(database.query)
  await eventually(async () => statSync(path).size > 3_000_000 || null)
  await database.close()
})
