import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Database as SqliteFile } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { moveRows } from './move-rows'
import { SqliteStore } from './sqlite-store'

let folder: string
let files: SqliteFile[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-move-rows-'))
  files = []
})
afterEach(() => {
  for (const file of files) file.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(name: string): SqliteFile {
  const file = new SqliteFile(join(folder, name), { strict: true })
  for (const pragma of ['journal_mode = wal', 'synchronous = off']) file.run(`pragma ${pragma}`)
  file.run('create table counted (id integer primary key autoincrement, value text)')
  file.run('create index counted_by_value on counted (value)')
  files.push(file)
  return file
}

const moveBetween = async (source: SqliteFile, target: SqliteFile) => {
  const lines: string[] = []
  const stores = { source: new SqliteStore(source, new Map()), target: new SqliteStore(target, new Map()) }
  await moveRows({ ...stores, print: (line) => lines.push(line) })
  return lines
}

test('a table is copied after those that it refers to', async () => {
  const source = open('source')
  source.run('create table applied (id integer primary key, counted_id bigint references counted (id))')
  const tables = await new SqliteStore(source, new Map()).tables()
  expect(tables.map(({ name }) => name)).toEqual(['counted', 'applied'])
})

function fillSource(): SqliteFile {
  const source = open('source')
  source.run(
    `insert into counted (value) with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) select 'value ' || i from n`,
  )
  source.run('delete from counted where id > 4990')
  return source
}

test('rows, indexes and the last id arrive', async () => {
  const target = open('target')
  expect(await moveBetween(fillSource(), target)).toEqual(['counted: 4990'])
  target.run("insert into counted (value) values ('next')")
  expect(target.query('select max(id) as last, count(*) as count from counted').get()).toEqual({
    last: 5001,
    count: 4991,
  })
  expect(target.query("select name from sqlite_master where type = 'index'").all()).toEqual([
    { name: 'sqlite_autoindex_move_marks_1' },
    { name: 'counted_by_value' },
  ])
})

test.each([
  ['changes', "update counted set value = 'other' where id = new.id"],
  ['loses', 'delete from counted where id = new.id'],
])('a target that %s one row of thousands is found out', async (_what, change) => {
  const target = open('target')
  target.run(`create trigger unfaithful after insert on counted when new.id = 4000 begin ${change}; end`)
  expect(moveBetween(fillSource(), target)).rejects.toThrow('The table counted was not copied as it is')
})
