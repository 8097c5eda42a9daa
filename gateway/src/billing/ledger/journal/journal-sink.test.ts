import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eventually } from '../../../../test/eventually'
import { FakeTime } from '../../../../test/fake-time'
import { anEntry } from '../../../../test/ledger'
import { chargeRecord } from '../charge/charge-record'
import { openJournal } from './journal'
import { journalPath } from './journal-files'
import { JournalSink, type ChargeSink } from './journal-sink'

let folder: string
let time: FakeTime
let sink: ChargeSink
let isFull: boolean
let reported: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sink-'))
  time = new FakeTime()
  isFull = false
  reported = []
  const journal = openJournal(journalPath(folder, 'w'), 'process')
  const refuse = () => {
    if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  sink = new JournalSink({
    clock: time,
    timers: time,
    journal: {
      depth: 0,
      last: 0,
      read: (...range) => journal.read(...range),
      remove: (charges) => journal.remove(charges),
      close: () => journal.close(),
      oldestMs: () => null,
      append(...batch) {
        refuse()
        journal.append(...batch)
      },
      probe() {
        refuse()
        journal.probe()
      },
    },
    apply: () => Promise.resolve([]),
    onApplied: () => {},
    onFailure: (error) => reported.push(String(error)),
    onRecovery: () => reported.push('again'),
  })
})
afterEach(async () => {
  await sink.close()
  rmSync(folder, { recursive: true })
})

test('a disk that stays full is reported once, however many charges are refused, and so is its end', async () => {
  const payer = { userId: 1, tokenId: 0, isTokenLimited: false }
  const charge = (id: number) => {
    const record = chargeRecord(
      `call-${id}`,
      payer,
      { cost: 1, entry: anEntry({}), isLogged: true },
      { userLease: '', tokenLease: '' },
    )
    return sink.add(record).then(
      () => 'charged',
      () => 'refused',
    )
  }
  const awaitCharge = async (charging: Promise<string>) => {
    await eventually(() => {
      time.advance(200)
      return Promise.resolve(Bun.peek.status(charging) === 'pending' ? null : true)
    })
    return charging
  }
  isFull = true
  for (let id = 0; id < 10; id += 1) expect(await awaitCharge(charge(id))).toBe('refused')
  expect(reported).toEqual(['Error: database or disk is full'])
  isFull = false
  expect(await awaitCharge(charge(10))).toBe('charged')
  expect(reported).toEqual(['Error: database or disk is full', 'again'])
  isFull = true
  expect(await awaitCharge(charge(11))).toBe('refused')
  expect(reported).toHaveLength(3)
  isFull = false
})
