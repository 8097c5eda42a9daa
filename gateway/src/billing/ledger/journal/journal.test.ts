import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onBothDatabases } from '../../../../test/databases'
import { aCharge, aUser, booksOf } from '../../../../test/ledger'
import { openFilesIn } from '../../../../test/open-files'
import { recoverNode } from '../../../app/process/recover'
import { chargeRecord, type ChargeRecord } from '../charge/charge-record'
import { openJournal, type Journal } from './journal'
import { journalPath, setAsideIn } from './journal-files'
import { replayJournals, type JournalTrouble } from '../recovery/recovery'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  path = journalPath(folder, 'w')
})
afterEach(() => {
  expect(openFilesIn(folder)).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

const aRecord = (requestId: string, userId: number, cost: number): ChargeRecord =>
  chargeRecord(requestId, { userId, tokenId: 0, isTokenLimited: false }, aCharge(cost), {
    userLease: 'gone',
    tokenLease: '',
    windows: ['12r 13t 14q gone'],
  })

function leaveJournal(records: readonly ChargeRecord[]) {
  const journal = openJournal(path, 'process')
  journal.append(records, 7)
  journal.close()
}

const linesOf = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)

/** Changes a line of a journal that no process has open; the first is 1. */
function tamper(number: number, change: (line: string) => string) {
  const lines = linesOf().map((line, index) => (index === number - 1 ? change(line) : line))
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
}

/** A line with its checksum, whatever it says. */
const withChecksum = (text: string) => `${Bun.hash.crc32(text).toString(16).padStart(8, '0')} ${text}`

const readLines = (kind: string) =>
  readFileSync(`${path}.${kind}`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))

describe('a line', () => {
  const body = (changed: object) => JSON.stringify({ ...aRecord('b', 1, 2), ...changed })
  const wrong: [string, (line: string) => string][] = [
    ['whose digit changed', (line) => line.replace('"cost":2', '"cost":3')],
    ['that lost its beginning', (line) => line.slice(1)],
    ['that lost its end', (line) => line.slice(0, -1)],
    ['that is empty', () => ''],
    ['without a number', () => withChecksum(body({}))],
    ['whose number is too long', () => withChecksum(`${'9'.repeat(16)} 7 1 ${body({})}`)],
    ['of a newer version', () => withChecksum(`2 7 3 ${body({})}`)],
    ['that is not JSON', () => withChecksum('2 7 1 {')],
    ['that is null', () => withChecksum('2 7 1 null')],
    ['that has nothing in it', () => withChecksum('2 7 1 {}')],
    ...[-5_000_000, 1.5, 2 ** 53, '1000', null].map((cost): [string, () => string] => [
      `that costs ${JSON.stringify(cost)}`,
      () => withChecksum(`2 7 1 ${body({ cost })}`),
    ]),
  ]

  test.each(wrong)('%s is set aside, and the others are read', (_, change) => {
    leaveJournal([aRecord('a', 1, 1), aRecord('b', 1, 2), aRecord('c', 1, 3)])
    tamper(2, change)
    const line = linesOf()[1]
    const reported: unknown[] = []
    const journal = openJournal(path, 'process', (...what) => reported.push(what))
    expect(journal.depth).toBe(3)
    expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['a', 'c'])
    expect(reported).toEqual([['unreadable', 1, `${path}.unreadable`]])
    expect(readLines('unreadable')).toMatchObject([{ line, reason: expect.any(String) }])
    journal.remove(journal.read(0, 10))
    expect(journal.depth).toBe(0)
    journal.close()
    expect(readdirSync(folder)).toEqual(['w.journal.unreadable'])
    expect(setAsideIn(folder)).toEqual(['w.journal.unreadable'])
  })

  test('a line that follows only unreadable ones is found', () => {
    leaveJournal(Array.from({ length: 9 }, (_, index) => aRecord(`r${index}`, 1, 1)))
    for (let number = 1; number < 9; number += 1) tamper(number, () => 'x')
    const journal = openJournal(path, 'process')
    expect(journal.read(0, 2).map(({ record }) => record.requestId)).toEqual(['r8'])
    expect(readLines('unreadable')).toHaveLength(8)
    expect(journal.depth).toBe(1)
    journal.close()
  })

  test('a line that was set aside is set aside once', () => {
    leaveJournal([aRecord('a', 1, 1), aRecord('b', 1, 2)])
    tamper(1, () => 'x')
    for (let start = 0; start < 2; start += 1) {
      const journal = openJournal(path, 'process')
      expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['b'])
      journal.close()
    }
    expect(readLines('unreadable')).toHaveLength(1)
  })

  test('a file that is not a journal is set aside as a line', () => {
    writeFileSync(path, 'not a journal, by no means')
    const reported: unknown[] = []
    openJournal(path, 'process', (...what) => reported.push(what)).close()
    expect(reported).toEqual([['unreadable', 1, `${path}.unreadable`]])
    expect(readdirSync(folder)).toEqual(['w.journal.unreadable'])
  })
})

describe('a journal that was cut', () => {
  /** As after a death: what was written, and nothing tidied. */
  function leaveFiles(records: readonly ChargeRecord[], work: (journal: Journal) => void = () => {}) {
    const journal = openJournal(path, 'process')
    for (const record of records) journal.append([record], 0)
    work(journal)
    const copies = ['', '-mark'].map((part) => [part, readFileSync(path + part)] as const)
    journal.close()
    for (const [part, bytes] of copies) writeFileSync(path + part, bytes)
  }
  const records = Array.from({ length: 5 }, (_, index) => aRecord(`r${index}`, 1, 1))

  test('a journal that was cut in its last records reports once how many may be missing, and has the others', () => {
    leaveFiles(records)
    const [whole, mark] = [readFileSync(path), readFileSync(`${path}-mark`)]
    const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
    const near = (size: number) => ends.some((end) => Math.abs(end - size) < 3) || size % 29 === 0
    for (let size = (ends[2] ?? 0) - 1; size < whole.length; size += 1) {
      if (!near(size)) continue
      writeFileSync(path, whole.subarray(0, size))
      writeFileSync(`${path}-mark`, mark)
      rmSync(`${path}.missing`, { force: true })
      const left = ends.filter((end) => end <= size).length
      const reported: unknown[] = []
      const report = (kind: string, count: number) => void reported.push([kind, count])
      const journal = openJournal(path, 'process', report)
      expect([journal.depth, ...reported]).toEqual([left, ['missing', 5 - left]])
      expect(journal.read(0, 10).map(({ record }) => record)).toEqual(records.slice(0, left))
      expect(readLines('missing')).toMatchObject([{ afterSeq: left, upTo: 5, atMost: 5 - left }])
      journal.append([aRecord('next', 1, 1)], 0)
      expect(journal.last).toBe(6)
      journal.close()
      const again = openJournal(path, 'process', report)
      expect(again.read(0, 10).at(-1)?.record.requestId).toBe('next')
      expect([again.depth, reported.length]).toEqual([left + 1, 1])
      again.remove(again.read(0, 10))
      again.close()
    }
  })

  test('a line that was cut before it was promised is nothing', () => {
    leaveFiles(records)
    const reported: unknown[] = []
    writeFileSync(path, `${readFileSync(path, 'utf8')}${withChecksum('6 0 1 {').slice(0, 12)}`)
    const journal = openJournal(path, 'process', (...what) => reported.push(what))
    expect([journal.depth, ...reported]).toEqual([5])
    journal.append([aRecord('next', 1, 1)], 0)
    expect(journal.read(0, 10)).toHaveLength(6)
    journal.close()
    expect(linesOf()).toHaveLength(6)
  })

  test('a cut journal whose charges were applied reports nothing', () => {
    leaveFiles(records, (journal) => journal.remove(journal.read(0, 20)))
    truncateSync(path, 10)
    const reported: unknown[] = []
    openJournal(path, 'process', (...what) => reported.push(what)).close()
    expect(reported).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  test('charges that were applied are not read again after a death', () => {
    leaveFiles(records, (journal) => journal.remove(journal.read(0, 3)))
    const journal = openJournal(path, 'process')
    expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['r3', 'r4'])
    journal.close()
  })
})

describe('a long journal', () => {
  const large = (requestId: string): ChargeRecord => {
    const record = aRecord(requestId, 1, 1)
    return { ...record, entry: { ...record.entry, other: 'x'.repeat(20_000) } }
  }
  const batch = (from: number, count: number) => Array.from({ length: count }, (_, index) => large(`r${from + index}`))

  test('a journal gives back the room of what is gone, while more comes', () => {
    const journal = openJournal(path, 'process')
    let highest = 0
    let [from, to] = [0, 0]
    for (let turn = 0; turn < 40; turn += 1) {
      journal.append(batch(to, 50), 0)
      to += 50
      const charges = journal.read(0, 45)
      expect(charges.map(({ record }) => record.requestId)).toEqual(charges.map((_, index) => `r${from + index}`))
      journal.remove(charges)
      from += charges.length
      highest = Math.max(highest, statSync(path).size)
    }
    expect(journal.depth).toBe(to - from)
    expect(highest).toBeLessThan(25_000_000)
    journal.close()
    const again = openJournal(path, 'process')
    expect(again.read(0, 1000).map(({ record }) => record.requestId)).toEqual(
      Array.from({ length: to - from }, (_, index) => `r${from + index}`),
    )
    again.close()
  })

  test('a journal is emptied when all of it is gone', () => {
    const journal = openJournal(path, 'process')
    journal.append(batch(0, 60), 0)
    journal.remove(journal.read(0, 100))
    expect(statSync(path).size).toBe(0)
    journal.append([large('next')], 0)
    expect(journal.read(0, 10).map(({ seq }) => seq)).toEqual([61])
    journal.close()
  })

  test('a journal longer than what memory holds is read from the file, with a charge that stays behind', () => {
    const journal = openJournal(path, 'process')
    journal.append(
      Array.from({ length: 3000 }, (_, index) => aRecord(`r${index}`, 1, 1)),
      5,
    )
    expect(journal.oldestMs()).toBe(5)
    const [first] = journal.read(0, 1)
    let seen = 1
    for (let after = first?.seq ?? 0; ;) {
      const charges = journal.read(after, 256)
      if (charges.length === 0) break
      seen += charges.length
      after = charges.at(-1)?.seq ?? after
      journal.remove(charges)
    }
    expect([seen, journal.depth]).toEqual([3000, 1])
    expect(journal.read(0, 10).map(({ record }) => record.requestId)).toEqual(['r0'])
    journal.remove(journal.read(0, 10))
    expect(journal.depth).toBe(0)
    journal.close()
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

test('a journal that was closed takes nothing, and is closed once', () => {
  const journal = openJournal(path, 'process')
  journal.close()
  const other = openJournal(journalPath(folder, 'other'), 'process')
  journal.close()
  expect(() => journal.append([aRecord('late', 1, 1)], 0)).toThrow()
  other.append([aRecord('a', 1, 1)], 0)
  expect(other.read(0, 10)).toHaveLength(1)
  other.close()
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
    tamper(77, (line) => line.slice(1))
    expect(await replay()).toEqual({
      troubles: [{ kind: 'unreadable', path: `${path}.unreadable`, count: 1 }],
      unsettled: [],
    })
    expect(await booksOf(world().database, userId)).toMatchObject({ used: 199, charges: 199 })
    expect(existsSync(path)).toBe(false)
    expect(await recoverNode(world().database, { nodeId: 'n', journalFolder: folder }, () => [])).toBe(true)
  })

  test('leaves a journal whose unreadable records cannot be set aside, and begins', async () => {
    const userId = await aUser(world().database, 1000)
    leaveJournal([aRecord(`a-${userId}`, userId, 1), aRecord(`b-${userId}`, userId, 1)])
    tamper(2, () => 'x')
    // A folder of that name takes no lines.
    mkdirSync(`${path}.unreadable`)
    expect(await replay()).toEqual({ troubles: [{ kind: 'unwritable', path }], unsettled: ['w'] })
    rmSync(`${path}.unreadable`, { recursive: true })
    expect((await replay()).unsettled).toEqual([])
    expect(await booksOf(world().database, userId)).toMatchObject({ used: 1 })
  })
})
