import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { aCharge } from '../../../../test/ledger'
import { openFilesIn } from '../../../../test/open-files'
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
afterEach(() => {
  expect(openFilesIn(folder)).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

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

const atOf = (seq: number) => 6 + seq

function addRow(file: SqliteFile, seq: number, body: string, isChecked = true) {
  const insert = file.query('insert into charges (seq, at, body, version, checksum) values (?, ?, ?, ?, ?)')
  insert.run(seq, atOf(seq), body, isChecked ? 1 : null, isChecked ? Bun.hash.crc32(body) : null)
}

function move() {
  const reports: unknown[] = []
  const unmoved = moveEarlierJournals(folder, {
    onSetAside: (kind, count, path) => reports.push([kind, count, path]),
    onDamaged: (path) => reports.push(['damaged', path]),
    onUnwritable: (path) => reports.push(['unwritable', path]),
  })
  return [...reports, ...unmoved]
}

function readMoved(): string[] {
  const journal = openJournal(journalPath(folder, 'w'), 'process')
  const charges = journal.read(0, 10_000)
  journal.close()
  return charges.map(({ record }) => record.requestId)
}

const oldestMoved = () => {
  const journal = openJournal(journalPath(folder, 'w'), 'process')
  const oldest = journal.oldestMs()
  journal.close()
  return oldest
}

const setAside = () =>
  readFileSync(`${earlier}.unreadable`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

test('charges of an earlier release are moved in their order, those without a checksum too', () => {
  const file = anEarlierJournal()
  for (let seq = 1; seq <= 1200; seq += 1) addRow(file, seq, JSON.stringify(aRecord(`r${seq}`)), seq % 2 === 0)
  file.close()
  writeFileSync(`${earlier}-last`, '1200')
  expect(move()).toEqual([])
  expect(oldestMoved()).toBe(atOf(1))
  expect(readMoved()).toEqual(Array.from({ length: 1200 }, (_, index) => `r${index + 1}`))
  expect(readdirSync(folder).filter((name) => name.includes('sqlite'))).toEqual([])
  expect(move()).toEqual([])
})

test('charges of the first releases, whose rows had no version and no checksum, are moved', () => {
  const file = new SqliteFile(earlier, { create: true })
  file.run('create table charges (seq integer primary key, at integer not null, body text not null)')
  file.query('insert into charges values (1, 7, ?)').run(JSON.stringify(aRecord('a')))
  file.close()
  expect(move()).toEqual([])
  expect(readMoved()).toEqual(['a'])
})

test('charges whose journal cannot be opened stay where they are', () => {
  const file = anEarlierJournal()
  addRow(file, 1, JSON.stringify(aRecord('a')))
  file.close()
  mkdirSync(journalPath(folder, 'w'))
  expect(move()).toEqual([['unwritable', earlier], 'w'])
  rmdirSync(journalPath(folder, 'w'))
  expect(move()).toEqual([])
  expect(readMoved()).toEqual(['a'])
})

/** A file that takes nothing, as on a disk without room. */
const full = '/dev/full'

test.skipIf(!existsSync(full)).each([1, 700])(
  'charges that a full disk does not take stay where they are, all %d',
  (count) => {
    const file = anEarlierJournal()
    for (let seq = 1; seq <= count; seq += 1) addRow(file, seq, JSON.stringify(aRecord(`r${seq}`)))
    file.close()
    symlinkSync(full, journalPath(folder, 'w'))
    expect(move()).toEqual([['unwritable', earlier], 'w'])
    expect(move()).toEqual([])
    expect(readMoved()).toHaveLength(count)
  },
)

test('rows that are not what was written are set aside', () => {
  const file = anEarlierJournal()
  addRow(file, 1, JSON.stringify(aRecord('a')))
  addRow(file, 2, '{}')
  file.query('insert into charges (seq, at, body, version, checksum) values (3, 7, ?, 1, 12)').run('changed')
  file.close()
  expect(move()).toEqual([['unreadable', 2, `${earlier}.unreadable`]])
  expect(setAside()).toMatchObject([{ seq: 2 }, { seq: 3, reason: 'the checksum does not match' }])
  expect(readMoved()).toEqual(['a'])
})

test('a journal that a process holds stays, and its worker is named', () => {
  const file = anEarlierJournal()
  addRow(file, 1, JSON.stringify(aRecord('a')))
  file.run('pragma locking_mode = exclusive')
  file.run('begin exclusive')
  expect(move()).toEqual(['w'])
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
  writeFileSync(`${earlier}-last`, '700')
  expect(move()).toEqual([['damaged', `${earlier}.damaged`]])
  expect(readFileSync(`${earlier}.damaged-last`, 'utf8')).toBe('700')
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
  expect(setAside()).toMatchObject([{ seq: 1, reason: 'the record is not a text' }])
})
