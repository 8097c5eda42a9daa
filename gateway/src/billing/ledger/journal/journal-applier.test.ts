import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { aCharge } from '../../../../test/ledger'
import { systemTimers, type Timers } from '../../../platform/time/timers'
import { chargeRecord, type ChargeRecord } from '../charge/charge-record'
import { openJournal, type Journal } from './journal'
import { JournalApplier } from './journal-applier'
import { journalPath } from './journal-files'

let folder: string
let journal: Journal
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  journal = openJournal(journalPath(folder, 'w'), 'process')
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

const payer = { userId: 1, tokenId: 0, isTokenLimited: false }
const from = { userLease: 'gone', tokenLease: '' }
const append = (count: number) =>
  journal.append(
    Array.from({ length: count }, (_, at) => chargeRecord(`r${at}`, payer, aCharge(1), from)),
    7,
  )

/** A database whose answers wait until the test gives them. */
function slowDatabase() {
  const responses: PromiseWithResolvers<readonly never[]>[] = []
  const requests: PromiseWithResolvers<readonly string[]>[] = []
  const requestAt = (at: number) => (requests[at] ??= Promise.withResolvers<readonly string[]>())
  return {
    apply: (records: readonly ChargeRecord[]) => {
      const response = Promise.withResolvers<readonly never[]>()
      responses.push(response)
      requestAt(responses.length - 1).resolve(records.map(({ requestId }) => requestId))
      return response.promise
    },
    /** Resolves with the requests whose charges are in a batch, once it is sent. */
    requests: (at: number) => requestAt(at).promise,
    /** Resolves with the number of charges in a batch, once it is sent. */
    batch: async (at: number) => (await requestAt(at).promise).length,
    accept: (at: number) => responses[at]?.resolve([]),
    refuse: (at: number) => responses[at]?.reject(new Error('The database is away')),
  }
}

/** Pauses take no time. */
const timers: Timers = { ...systemTimers, after: (_ms, work) => systemTimers.after(0, work) }

function applierOn({ apply }: ReturnType<typeof slowDatabase>) {
  const applier = new JournalApplier({ journal, apply, timers, onApplied() {}, onFailure() {} })
  applier.wake()
  return applier
}

/** Resolves with whether something has happened after all that can happen now. */
async function isDone(work: Promise<void>): Promise<boolean> {
  let done = false
  void work.then(() => (done = true))
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

test('a reader of charges waits for the last of them, though it alone is in a later batch', async () => {
  append(257)
  const database = slowDatabase()
  const applier = applierOn(database)
  const reading = applier.waitUntilApplied()
  expect(await database.batch(0)).toBe(256)
  database.accept(0)
  expect(await database.batch(1)).toBe(1)
  expect(await isDone(reading)).toBe(false)
  database.accept(1)
  await reading
  await applier.stop()
})

test('a reader does not wait for charges that came after it asked', async () => {
  append(1)
  const database = slowDatabase()
  const applier = applierOn(database)
  const reading = applier.waitUntilApplied()
  expect(await database.batch(0)).toBe(1)
  append(1)
  applier.wake()
  database.accept(0)
  await reading
  expect(await database.batch(1)).toBe(1)
  database.accept(1)
  expect(await applier.whenDone()).toBe(true)
  await applier.stop()
})

test('readers are let go when the database refuses charges, and when the applier stops', async () => {
  append(1)
  const database = slowDatabase()
  const applier = applierOn(database)
  const refused = applier.waitUntilApplied()
  await database.batch(0)
  database.refuse(0)
  await refused
  const stopped = applier.waitUntilApplied()
  await Promise.all([stopped, applier.stop()])
  await applier.waitUntilApplied()
})

test('a charge that the database refuses lets the others go first, and is tried again after them', async () => {
  append(3)
  const database = slowDatabase()
  const applier = applierOn(database)
  expect(await database.requests(0)).toEqual(['r0', 'r1', 'r2'])
  database.refuse(0)
  expect(await database.requests(1)).toEqual(['r0'])
  database.refuse(1)
  expect(await database.requests(2)).toEqual(['r1'])
  database.accept(2)
  expect(await database.requests(3)).toEqual(['r2'])
  database.accept(3)
  expect(await database.requests(4)).toEqual(['r0'])
  database.accept(4)
  expect(await applier.whenDone()).toBe(true)
  await applier.stop()
})
