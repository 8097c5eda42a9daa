import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { aCharge } from '../../../../test/ledger'
import { chargeRecord, type ChargeRecord } from '../charge/charge-record'
import { moveEarlierJournals } from './earlier-journals'
import { openJournal } from './journal'
import { journalPath } from './journal-files'

let folder: string
let earlier: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-earlier-'))
  earlier = join(folder, 'w.journal.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const aRecord = (requestId: string): ChargeRecord =>
  chargeRecord(requestId, { userId: 1, tokenId: 0, isTokenLimited: false }, aCharge(1), {
    userLease: 'gone',
    tokenLease: '',
  })

/** A journal as the last release with databases made it. */
function anEarlierJournal(): SqliteFile {
  const file = new SqliteFile(earlier, { create: true })
  file.run('pragma journal_mode = wal')
  file.run(
    'create table charges (seq integer primary key, at integer not null, body text not null, version integer, checksum integer)',
  )
  return file
}

function addRow(file: SqliteFile, seq: number, body: string, isChecked = true) {
  const insert = file.query('insert into charges (seq, at, body, version, checksum) values (?, ?, ?, ?, ?)')
  insert.run(seq, 7, body, isChecked ? 1 : null, isChecked ? Bun.hash.crc32(body) : null)
}

function move() {
  const reports: unknown[] = []
  moveEarlierJournals(
    folder,
    (kind, count, path) => reports.push([kind, count, path]),
    (path) => reports.push(['damaged', path]),
  )
  return reports
}

function readMoved(): string[] {
  const journal = openJournal(journalPath(folder, 'w'), 'process')
  const charges = journal.read(0, 10_000)
  journal.close()
  return charges.map(({ record }) => record.requestId)
}

test('charges of an earlier release are moved in their order, those without a checksum too', () => {
  const file = anEarlierJournal()
  for (let seq = 1; seq <= 1200; seq += 1) addRow(file, seq, JSON.stringify(aRecord(`r${seq}`)), seq % 2 === 0)
  file.close()
  expect(move()).toEqual([])
  expect(readMoved()).toEqual(Array.from({ length: 1200 }, (_, index) => `r${index + 1}`))
  expect(readdirSync(folder).filter((name) => name.includes('sqlite'))).toEqual([])
  expect(move()).toEqual([])
})

test('rows that are not what was written are set aside', () => {
  const file = anEarlierJournal()
  addRow(file, 1, JSON.stringify(aRecord('a')))
  addRow(file, 2, '{}')
  file.query('insert into charges (seq, at, body, version, checksum) values (3, 7, ?, 1, 12)').run('changed')
  file.close()
  expect(move()).toEqual([['unreadable', 2, `${earlier}.unreadable`]])
  expect(readFileSync(`${earlier}.unreadable`, 'utf8').trim().split('\n')).toHaveLength(2)
  expect(readMoved()).toEqual(['a'])
})

test('a journal that a process holds stays', () => {
  const file = anEarlierJournal()
  addRow(file, 1, JSON.stringify(aRecord('a')))
  file.run('pragma locking_mode = exclusive')
  file.run('begin exclusive')
  expect(move()).toEqual([])
  expect(readdirSync(folder)).toContain('w.journal.sqlite')
  file.run('rollback')
  file.close()
})

test.each([
  ['wholly', 0, 0],
  ['from its middle on', 40_000, 1],
])('what can be read of a journal that is damaged %s is moved, and the file is set aside', (_, from, min) => {
  const file = anEarlierJournal()
  for (let seq = 1; seq <= 700; seq += 1) addRow(file, seq, JSON.stringify(aRecord(`r${seq}`)))
  file.run('pragma wal_checkpoint(truncate)')
  file.close()
  const bytes = readFileSync(earlier)
  writeFileSync(earlier, bytes.fill(0x5a, from, from === 0 ? bytes.length : from + 200_000))
  expect(move()).toEqual([['damaged', `${earlier}.damaged`]])
  const found = readMoved().length
  expect(found).toBeGreaterThanOrEqual(min)
  expect(found).toBeLessThan(700)
})

test('what another program wrote is set aside', () => {
  using file = new SqliteFile(earlier, { create: true })
  file.run('create table charges (seq integer primary key, what text)')
  file.run("insert into charges values (1, 'x')")
  file.close()
  expect(move()).toEqual([['unreadable', 1, `${earlier}.unreadable`]])
})
