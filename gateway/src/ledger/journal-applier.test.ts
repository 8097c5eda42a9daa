import { expect, test } from 'bun:test'

import { aCharge } from '../../test/ledger'
import { chargeRecord } from './charge-record'
import type { Journal, JournaledCharge } from './journal'
import { JournalApplier } from './journal-applier'
import { systemTimers } from './timers'

const payer = { userId: 1, tokenId: 0, isTokenLimited: false }

const aJournaled = (seq: number): JournaledCharge => ({
  seq,
  record: chargeRecord(`r${seq}`, payer, aCharge(1), { userLease: 'l', tokenLease: '' }),
})

/** A disk that fails once while charges are removed, before or after it did so. */
function aJournal(isRemoved: boolean): Journal {
  let charges = [aJournaled(1), aJournaled(2), aJournaled(3)]
  let hasFailed = false
  return {
    append: () => {},
    read: (after, most) => charges.filter(({ seq }) => seq > after).slice(0, most),
    remove(gone) {
      const isFailing = !hasFailed
      hasFailed = true
      if (!isFailing || isRemoved) charges = charges.filter((charge) => !gone.includes(charge))
      if (isFailing) throw new Error('disk')
    },
    get depth() {
      return charges.length
    },
    last: 3,
    oldestMs: () => null,
    close: () => {},
  }
}

for (const isRemoved of [true, false]) {
  test(`each charge is told once when the disk fails ${isRemoved ? 'after' : 'before'} it is removed`, async () => {
    const told: number[] = []
    const applier = new JournalApplier({
      journal: aJournal(isRemoved),
      apply: () => Promise.resolve(),
      timers: { ...systemTimers, wait: () => Promise.resolve() },
      onApplied: (charges) => told.push(...charges.map(({ seq }) => seq)),
      onFailure: () => {},
    })
    expect(await applier.whenDone()).toBe(true)
    expect(told).toEqual([1, 2, 3])
  })
}
