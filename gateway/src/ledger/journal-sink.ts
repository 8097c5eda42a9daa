import type { Clock } from '../context'
import type { ApplyCharges } from './apply-charges'
import type { ChargeRecord } from './charge-record'
import type { ChargeSink } from './charge-sink'
import { GroupCommit } from './group-commit'
import type { Journal } from './journal'
import { JournalApplier } from './journal-applier'
import type { Timers } from './timers'
import { within } from './within'

export interface JournalSinkOptions {
  readonly journal: Journal
  readonly apply: ApplyCharges
  readonly clock: Clock
  readonly timers: Timers
  readonly onApplied: (records: readonly ChargeRecord[]) => void
  readonly onFailure: (error: unknown) => void
}

/** A charge is durable when it is in the local journal; the database gets it as soon as it answers. */
export function createJournalSink(options: JournalSinkOptions): ChargeSink {
  const { journal, apply, clock, timers, onApplied, onFailure } = options
  const applier = new JournalApplier({
    journal,
    apply,
    timers,
    onFailure,
    onApplied: (charges) => onApplied(charges.map(({ record }) => record)),
  })
  const commits = new GroupCommit<ChargeRecord>({
    timers,
    onFailure,
    commit(batch) {
      journal.append(batch, clock.now())
      applier.wake()
    },
  })
  applier.wake()
  return {
    add: (record) => commits.add(record),
    get isFailing() {
      return commits.isFailing
    },
    get queued() {
      return commits.length
    },
    get journaled() {
      const oldest = journal.oldestMs()
      return { depth: journal.depth, oldestSeconds: oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1000) }
    },
    settle(timeoutMs) {
      const done = commits.whenIdle().then(() => applier.whenDone())
      return within(timers, timeoutMs, done, false)
    },
    async close() {
      await applier.stop()
      journal.close()
    },
  }
}
