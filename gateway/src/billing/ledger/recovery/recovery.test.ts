import { Database as SqliteFile } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'

import { onBothDatabases } from '../../../../test/databases'
import { faultyDatabase, type Fault } from '../../../../test/faulty-database'
import { FakeTime } from '../../../../test/fake-time'
import { aCharge, aUser, booksOf, ledgerOptions } from '../../../../test/ledger'
import { recoverNode } from '../../../app/process/recover'
import { chargeRecord, type ChargeRecord } from '../charge/charge-record'
import { openJournal } from '../journal/journal'
import { Heartbeat } from './heartbeat'
import { journalPath } from '../journal/journal-files'
import { openLedger } from '../open-ledger'
import { replayJournals } from './recovery'
import { createLock } from '../../../platform/store/lock'
import { systemTimers } from '../../../platform/time/timers'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-recovery-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const aRecord = (requestId: string, userId: number, cost: number): ChargeRecord =>
  chargeRecord(requestId, { userId, tokenId: 0, isTokenLimited: false }, aCharge(cost), {
    userLease: 'gone',
    tokenLease: '',
  })

function leaveJournal(workerId: string, records: readonly ChargeRecord[]) {
  const journal = openJournal(journalPath(folder, workerId), 'process')
  journal.append(records, 0)
  journal.close()
}

test('a journal keeps its charges in their order until they are removed', () => {
  leaveJournal('w', [aRecord('a', 1, 5), aRecord('b', 1, 6)])
  const journal = openJournal(journalPath(folder, 'w'), 'power')
  expect(journal.depth).toBe(2)
  const [first, second] = journal.read(0, 10)
  expect([first?.record, second?.record]).toEqual([aRecord('a', 1, 5), aRecord('b', 1, 6)])
  expect(journal.read(first?.seq ?? 0, 10)).toEqual(second ? [second] : [])
  journal.remove(journal.read(0, 10))
  expect([journal.depth, journal.oldestMs()]).toEqual([0, null])
  journal.close()
  expect(readdirSync(folder)).toEqual([])
})

test('a journal belongs to one process', () => {
  const journal = openJournal(journalPath(folder, 'w'), 'process')
  expect(() => openJournal(journalPath(folder, 'w'), 'process')).toThrow('locked')
  journal.close()
})

onBothDatabases('recovery', (world) => {
  const books = (userId: number) => booksOf(world().database, userId)

  test('what a dead worker left is charged once, however often it is replayed', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    const records = Array.from({ length: 700 }, (_, index) => aRecord(`replay-${userId}-${index}`, userId, 1))
    leaveJournal('dead', records)
    await replayJournals(folder, database, () => [])
    expect(readdirSync(folder)).toEqual([])
    leaveJournal('dead', records)
    await replayJournals(folder, database, () => [])
    expect(await books(userId)).toMatchObject({ free: 300, used: 700, charges: 700 })
  })

  test.each([
    ['wholly', 0, 0, 0],
    ['from its middle on', 40_000, 1, 699],
  ])(
    'a journal that is damaged %s is charged as far as it can be read, and the rest set aside',
    async (_, from, min, max) => {
      const { database } = world()
      const userId = await aUser(database, 1000)
      const path = journalPath(folder, 'broken')
      leaveJournal(
        'broken',
        Array.from({ length: 700 }, (_, index) => aRecord(`broken-${userId}-${from}-${index}`, userId, 1)),
      )
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0x5a, from, from === 0 ? bytes.length : from + 100_000))
      leaveJournal('whole', [aRecord(`whole-${userId}-${from}`, userId, 5)])
      const kinds: string[] = []
      expect(
        await replayJournals(
          folder,
          database,
          () => [],
          ({ kind }) => kinds.push(kind),
        ),
      ).toEqual([])
      expect(new Set(kinds)).toEqual(from === 0 ? new Set(['missing']) : new Set(['unreadable']))
      expect(readdirSync(folder)).toEqual([`broken.journal.${kinds[0]}`])
      const { charges, used } = await books(userId)
      expect(charges).toBeGreaterThan(min)
      expect(charges).toBeLessThanOrEqual(max + 1)
      expect(used).toBe(charges + 4)
    },
  )

  test('journals of living workers are left alone, by their name and by their lock', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    leaveJournal('named', [aRecord(`named-${userId}`, userId, 1)])
    const held = openJournal(journalPath(folder, 'held'), 'process')
    held.append([aRecord(`held-${userId}`, userId, 1)], 0)
    await replayJournals(folder, database, () => ['named'])
    expect(await books(userId)).toMatchObject({ used: 0 })
    held.close()
  })

  test('a worker whose journal of an earlier release is held is not settled', async () => {
    using file = new SqliteFile(join(folder, 'earlier.journal.sqlite'), { create: true })
    file.run('create table charges (seq integer primary key, at integer not null, body text not null)')
    file.run('begin exclusive')
    expect(await replayJournals(folder, world().database, () => [])).toEqual(['earlier'])
    file.run('rollback')
    expect(await replayJournals(folder, world().database, () => [])).toEqual([])
  })

  test('a charge that the database refuses stays in its file, and the others are charged', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    const record = aRecord(`bad-${userId}`, userId, 1)
    // No index of PostgreSQL takes a name that long.
    const longName = Buffer.from(crypto.getRandomValues(new Uint8Array(30_000))).toString('base64')
    const impossible = { ...record, entry: { ...record.entry, modelName: longName } }
    leaveJournal('odd', [aRecord(`a-${userId}`, userId, 1), impossible, aRecord(`c-${userId}`, userId, 1)])
    if (database.kind === 'postgres') await replayJournals(folder, database, () => [])
    expect((await books(userId)).used).toBe(database.kind === 'postgres' ? 2 : 0)
  })

  test('a connection that breaks while a journal is charged leaves no charge behind', async () => {
    const { database } = world()
    const userId = await aUser(database, 1000)
    leaveJournal('cut', [aRecord(`cut-${userId}`, userId, 5)])
    const faults: Fault[] = ['none', 'refused', 'none', 'none', 'answer-lost']
    const cut = faultyDatabase(database, () => faults.shift() ?? 'none')
    expect(await replayJournals(folder, cut, () => [])).toEqual([])
    expect(readdirSync(folder)).toEqual([])
    expect(await books(userId)).toMatchObject({ free: 995, used: 5 })
  })

  test('leases stay while another recovery charges what they pay', async () => {
    const { database } = world()
    const userId = await aUser(database, 3000)
    const node = { nodeId: 'twice', journalFolder: folder }
    const dead = await openLedger(ledgerOptions(database, { nodeId: 'twice', workerId: 'dead-twice' }))
    dead.release(await dead.reserve('r', { userId, tokenId: 0, isTokenLimited: false }, 10))
    const held = openJournal(journalPath(folder, 'dead-twice'), 'process')
    held.append([aRecord(`twice-${userId}`, userId, 5)], 0)
    expect(await recoverNode(database, node, () => [])).toBe(false)
    expect(await books(userId)).toMatchObject({ leases: 1, used: 0 })
    held.close()
    expect(await recoverNode(database, node, () => [])).toBe(true)
    expect(await books(userId)).toMatchObject({ free: 2995, leases: 0, used: 5 })
    await dead.close()
  })

  test('a worker that begins while a recovery runs keeps what it leased', async () => {
    const { database } = world()
    const userId = await aUser(database, 3000)
    const live: string[] = []
    const fresh = await openLedger(
      ledgerOptions(database, { nodeId: 'busy', workerId: 'fresh', journalFolder: folder }),
    )
    fresh.release(await fresh.reserve('r', { userId, tokenId: 0, isTokenLimited: false }, 10))
    const reclaimed = recoverNode(database, { nodeId: 'busy', journalFolder: folder }, () => live)
    live.push('fresh')
    await reclaimed
    expect((await books(userId)).leases).toBe(1)
    await fresh.close()
  })

  test('a worker that dies while a recovery runs keeps its leases until its own journal is charged', async () => {
    const { database } = world()
    const userId = await aUser(database, 3000)
    const node = { nodeId: 'shaky', journalFolder: folder }
    const shaky = await openLedger(ledgerOptions(database, { nodeId: 'shaky', workerId: 'shaky' }))
    shaky.release(await shaky.reserve('r', { userId, tokenId: 0, isTokenLimited: false }, 10))
    leaveJournal('first', [aRecord(`shaky-${userId}`, userId, 1)])
    const live = ['shaky']
    let calls = 0
    const cut = faultyDatabase(database, () => {
      calls += 1
      // Its death comes while the journal of another is charged.
      if (calls === 2) live.pop()
      return 'none'
    })
    await recoverNode(cut, node, () => [...live])
    expect((await books(userId)).leases).toBe(1)
    await recoverNode(database, node, () => [])
    expect((await books(userId)).leases).toBe(0)
    await shaky.close()
  })

  test('leases of the former workers of a node return, those of others and of the living stay', async () => {
    const { database } = world()
    const userId = await aUser(database, 3000)
    const options = { nodeId: 'here' }
    const payer = { userId, tokenId: 0, isTokenLimited: false }
    const dead = await openLedger(ledgerOptions(database, { ...options, workerId: 'dead' }))
    const alive = await openLedger(ledgerOptions(database, { ...options, workerId: 'alive' }))
    const elsewhere = await openLedger(ledgerOptions(database, { ...options, workerId: 'far', nodeId: 'there' }))
    for (const ledger of [dead, alive, elsewhere]) ledger.release(await ledger.reserve('r', payer, 10))
    expect((await books(userId)).leases).toBe(3)
    await recoverNode(database, { nodeId: 'here', journalFolder: folder }, () => ['alive'])
    const left = await database.query.selectFrom('leases').select('worker_id').orderBy('worker_id').execute()
    expect(left.map(({ worker_id }) => worker_id)).toEqual(['alive', 'far'])
    for (const ledger of [alive, elsewhere]) await ledger.close()
    expect(await books(userId)).toMatchObject({ free: 3000, leases: 0 })
    await dead.close()
  })

  test('locks of the former workers of a node are free at once, those of others are not', async () => {
    const { database } = world()
    const clock = new FakeTime()
    const lockOf = (holder: string, name: string) => createLock({ database, clock, name, holder, seconds: 15 })
    await Heartbeat.start({ database, clock, workerId: 'dead-here', nodeId: 'here' })
    const far = await Heartbeat.start({ database, clock, workerId: 'far-off', nodeId: 'there' })
    expect([await lockOf('dead-here', 'a').acquire(), await lockOf('far-off', 'b').acquire()]).toEqual([true, true])
    await recoverNode(database, { nodeId: 'here', journalFolder: folder }, () => [])
    expect([await lockOf('next', 'a').acquire(), await lockOf('next', 'b').acquire()]).toEqual([true, false])
    await far.end()
  })

  test('connections that break under a running worker delay charges and lose none', async () => {
    const { database } = world()
    const userId = await aUser(database, 10_000)
    const ledger = await openLedger(
      ledgerOptions(database, { journalFolder: folder, timers: { ...systemTimers, wait: () => Bun.sleep(0) } }),
    )
    const payer = { userId, tokenId: 0, isTokenLimited: false }
    for (let round = 0; round < 20; round += 1) {
      const reservation = await Promise.resolve(ledger.reserve(`cut-${userId}-${round}`, payer, 10)).catch(() => null)
      const charged = reservation && ledger.charge(reservation, aCharge(10))
      if (database.kind === 'postgres') await cutConnections()
      await charged
    }
    await ledger.close()
    const end = await books(userId)
    expect(end).toMatchObject({ free: 10_000 - end.used, leases: 0, leased: 0 })
    expect(end.used).toBeGreaterThan(0)
  })

  async function cutConnections() {
    const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await others.execute(world().database.query).catch(() => {})
  }
})
