import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onBothDatabases } from '../../../../test/databases'
import { aCharge, aUser, booksOf } from '../../../../test/ledger'
import { recoverNode } from '../../../app/process/recover'
import { chargeRecord, type ChargeRecord } from '../charge/charge-record'
import { openJournal } from './journal'
import { journalPath, setAsideIn } from './journal-files'
import { replayJournals, type JournalTrouble } from '../recovery/recovery'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  path = journalPath(folder, 'w')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const aRecord = (requestId: string, userId: number, cost: number): ChargeRecord =>
  chargeRecord(requestId, { userId, tokenId: 0, isTokenLimited: false }, aCharge(cost), {
    userLease: 'gone',
    tokenLease: '',
  })

function leaveJournal(records: readonly ChargeRecord[]) {
  const journal = openJournal(path, 'process')
  journal.append(records, 7)
  journal.close()
}

/** Changes a journal that no process has open. */
function tamper(statement: string, ...parameters: (string | number)[]) {
  using file = new SqliteFile(path)
  file.run(statement, parameters)
}

const readLines = (kind: string) =>
  readFileSync(`${path}.${kind}`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

describe('a record', () => {
  const wrong: [string, string, (string | number)[]][] = [
    ['whose digit changed', `update charges set body = replace(body, '"cost":2', '"cost":3') where seq = 2`, []],
    ['that is not JSON', `update charges set body = substr(body, 2) where seq = 2`, []],
    ['without a checksum', 'update charges set checksum = null where seq = 2', []],
    ['of a newer version', 'update charges set version = 2 where seq = 2', []],
    ['that is null', `update charges set version = null, checksum = null, body = 'null' where seq = 2`, []],
    ['that is empty', `update charges set version = null, checksum = null, body = '{}' where seq = 2`, []],
    ['that is a blob', `update charges set body = x'00ff' where seq = 2`, []],
    ...[-5_000_000, 1.5, 2 ** 53, '"1000"', 'null'].map((cost): [string, string, string[]] => [
      `that costs ${cost}`,
      `update charges set version = null, checksum = null, body = replace(body, '"cost":2', ?) where seq = 2`,
      [`"cost":${cost}`],
    ]),
  ]

  test.each(wrong)('%s is set aside, and the others are read', (_, statement, parameters) => {
    leaveJournal([aRecord('a', 1, 1), aRecord('b', 1, 2), aRecord('c', 1, 3)])
    tamper(statement, ...parameters)
    const reported: unknown[] = []
    const journal = openJournal(path, 'process', (...what) => reported.push(what))
    expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['a', 'c'])
    expect(reported).toEqual([['unreadable', 1, `${path}.unreadable`]])
    expect(readLines('unreadable')).toMatchObject([{ seq: 2, at: 7, reason: expect.any(String) }])
    journal.remove(journal.read(0, 10))
    expect(journal.depth).toBe(0)
    journal.close()
    expect(readdirSync(folder)).toEqual(['w.journal.sqlite.unreadable'])
    expect(setAsideIn(folder)).toEqual(['w.journal.sqlite.unreadable'])
  })

  test('a record that follows only unreadable ones is found', () => {
    leaveJournal(Array.from({ length: 9 }, (_, index) => aRecord(`r${index}`, 1, 1)))
    tamper(`update charges set body = 'x' where seq < 9`)
    const journal = openJournal(path, 'process')
    expect(journal.read(0, 2).map(({ record }) => record.requestId)).toEqual(['r8'])
    expect(readLines('unreadable')).toHaveLength(8)
    journal.close()
  })

  test('a record of an earlier release is read', () => {
    using file = new SqliteFile(path, { create: true })
    file.run('create table charges (seq integer primary key, at integer not null, body text not null)')
    file.run('insert into charges (seq, at, body) values (1, 0, ?)', [JSON.stringify(aRecord('old', 1, 5))])
    file.close()
    const journal = openJournal(path, 'process')
    expect(journal.read(0, 10)).toEqual([{ seq: 1, record: aRecord('old', 1, 5) }])
    journal.close()
  })

  test('an earlier release reads and writes records, ignoring columns that it does not know', () => {
    leaveJournal([aRecord('new', 1, 5)])
    tamper('insert into charges (seq, at, body) values (2, 0, ?)', JSON.stringify(aRecord('older', 1, 6)))
    const journal = openJournal(path, 'process')
    expect(journal.read(0, 10).map(({ record }) => record.cost)).toEqual([5, 6])
    journal.close()
  })
})

describe('a journal that was cut', () => {
  /** As after a death: the log was not taken into the file. */
  function leaveLog(records: readonly ChargeRecord[]) {
    const journal = openJournal(path, 'process')
    for (const record of records) journal.append([record], 0)
    const copies = ['', '-wal', '-last'].map((part) => [part, readFileSync(path + part)] as const)
    journal.close()
    for (const [part, bytes] of copies) writeFileSync(path + part, bytes)
    rmSync(`${path}-shm`, { force: true })
  }
  const records = Array.from({ length: 20 }, (_, index) => aRecord(`r${index}`, 1, 1))

  test('a journal with a truncated log reports once how many charges may be missing, and returns the others', () => {
    leaveLog(records)
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length / 2)
    const reported: unknown[] = []
    const journal = openJournal(path, 'process', (kind, count) => reported.push([kind, count]))
    const left = journal.depth
    expect(left).toBeGreaterThan(0)
    expect(reported).toEqual([['missing', 20 - left]])
    expect(readLines('missing')).toMatchObject([{ afterSeq: left, upTo: 20, atMost: 20 - left }])
    journal.append([aRecord('next', 1, 1)], 0)
    expect(journal.last).toBe(21)
    journal.remove(journal.read(0, 100))
    journal.close()
    const again = openJournal(path, 'process', (kind, count) => reported.push([kind, count]))
    expect(reported).toHaveLength(1)
    again.close()
  })

  test('a journal without its log reports every charge as missing', () => {
    leaveLog(records)
    rmSync(`${path}-wal`)
    const reported: unknown[] = []
    openJournal(path, 'process', (kind, count) => reported.push([kind, count])).close()
    expect(reported).toEqual([['missing', 20]])
  })

  test('a truncated journal whose charges were applied reports nothing', () => {
    leaveLog(records)
    const reported: unknown[] = []
    const report = (...what: unknown[]) => reported.push(what)
    const journal = openJournal(path, 'process', report)
    journal.remove(journal.read(0, 20))
    const copies = ['', '-wal', '-last'].map((part) => [part, readFileSync(path + part)] as const)
    journal.close()
    for (const [part, bytes] of copies) writeFileSync(path + part, bytes)
    openJournal(path, 'process', report).close()
    expect(reported).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a batch of which one record cannot be written leaves nothing behind', () => {
  const journal = openJournal(path, 'process')
  journal.append([aRecord('a', 1, 1)], 0)
  const broken = {
    ...aRecord('c', 1, 1),
    get cost(): number {
      throw new Error('broken')
    },
  }
  expect(() => journal.append([aRecord('b', 1, 1), broken], 0)).toThrow('broken')
  expect([journal.depth, journal.last]).toEqual([1, 1])
  journal.append([aRecord('d', 1, 1)], 0)
  expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['a', 'd'])
  journal.close()
})

onBothDatabases('a start', (world) => {
  const replay = async () => {
    const troubles: JournalTrouble[] = []
    const unsettled = await replayJournals(
      folder,
      world().database,
      () => [],
      (trouble) => troubles.push(trouble),
    )
    return { troubles, unsettled }
  }

  test('charges all records but the one that is unreadable, and begins', async () => {
    const userId = await aUser(world().database, 1000)
    leaveJournal(Array.from({ length: 200 }, (_, index) => aRecord(`start-${userId}-${index}`, userId, 1)))
    tamper(`update charges set body = substr(body, 2) where seq = 77`)
    expect(await replay()).toEqual({
      troubles: [{ kind: 'unreadable', path: `${path}.unreadable`, count: 1 }],
      unsettled: [],
    })
    expect(await booksOf(world().database, userId)).toMatchObject({ used: 199, charges: 199 })
    expect(existsSync(path)).toBe(false)
    expect(await recoverNode(world().database, { nodeId: 'n', journalFolder: folder }, () => [])).toBe(true)
  })

  test('sets aside a journal that another program wrote', async () => {
    using file = new SqliteFile(path, { create: true })
    file.run('create table charges (seq integer primary key, what text)')
    file.close()
    expect(await replay()).toEqual({ troubles: [{ kind: 'damaged', path: `${path}.damaged` }], unsettled: [] })
    expect(existsSync(`${path}.damaged`)).toBe(true)
  })

  test('leaves a journal whose unreadable records cannot be set aside, and begins', async () => {
    const userId = await aUser(world().database, 1000)
    leaveJournal([aRecord(`a-${userId}`, userId, 1), aRecord(`b-${userId}`, userId, 1)])
    tamper(`update charges set body = 'x' where seq = 2`)
    // A folder of that name takes no lines.
    mkdirSync(`${path}.unreadable`)
    expect(await replay()).toEqual({ troubles: [{ kind: 'unwritable', path }], unsettled: ['w'] })
    rmSync(`${path}.unreadable`, { recursive: true })
    expect((await replay()).unsettled).toEqual([])
    expect(await booksOf(world().database, userId)).toMatchObject({ used: 1 })
  })
})
