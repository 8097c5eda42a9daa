import type { Clock } from '../../../platform/time/clock'
import type { ApplyCharges } from '../charge/apply-charges'
import type { ChargeRecord } from '../charge/charge-record'
import { GroupCommit } from './group-commit'
import type { Journal } from './journal'
import { JournalApplier } from './journal-applier'
import { journalProblem, type JournalProblem } from './journal-problem'
import type { LeaseDebt } from '../lease/lease-charges'
import { within, type Timers } from '../../../platform/time/timers'

export interface JournalSinkOptions {
  readonly journal: Journal
  readonly apply: ApplyCharges
  readonly clock: Clock
  readonly timers: Timers
  readonly onApplied: (records: readonly ChargeRecord[], debts: readonly LeaseDebt[]) => void
  /** Called when charges can no longer be made durable, once for each time, and for each failure of the database. */
  readonly onFailure: (error: unknown) => void
  /** Called when charges can be made durable again. */
  readonly onRecovery: () => void
}

/** Where charges become durable and then reach the database. */
export interface ChargeSink {
  /**
   * Resolves when the charge is durable.
   * @throws AppError `ledger.unavailable` when that is not soon. The charge is given up then: it is not charged later.
   */
  add(record: ChargeRecord): Promise<void>
  /** Charges cannot be made durable at present: no new call should begin. */
  readonly isFailing: boolean
  /** Returns why no charge can be made durable, also where none was tried lately; null where one can. */
  problem(): JournalProblem | null
  /** Charges that wait to be made durable. */
  readonly queued: number
  /** Charges that are durable but not in the database yet, and how long the first of them waits. */
  readonly journaled: { readonly depth: number; readonly oldestSeconds: number }
  /** Resolves when the charges that are durable now are in the database, or when it refuses them. */
  waitUntilApplied(): Promise<void>
  /** Resolves when all charges are in the database, or when it does not answer in time; answers whether they are. */
  settle(timeoutMs: number): Promise<boolean>
  close(): Promise<void>
}

/** A charge is durable when it is in the local journal; the database gets it as soon as it answers. */
export function createJournalSink(options: JournalSinkOptions): ChargeSink {
  const { journal, apply, clock, timers, onApplied, onFailure, onRecovery } = options
  const applier = new JournalApplier({
    journal,
    apply,
    timers,
    onFailure,
    onApplied(charges, debts) {
      onApplied(
        charges.map(({ record }) => record),
        debts,
      )
    },
  })
  let isReported = false
  const durable = () => {
    if (isReported) onRecovery()
    isReported = false
  }
  const commits = new GroupCommit<ChargeRecord>({
    clock,
    timers,
    onFailure(error) {
      if (!isReported) onFailure(error)
      isReported = true
    },
    probe() {
      journal.probe()
      durable()
    },
    commit(batch) {
      journal.append(batch, clock.now())
      durable()
      applier.wake()
    },
  })
  applier.wake()
  return {
    add: (record) => commits.add(record),
    get isFailing() {
      return commits.isFailing
    },
    problem() {
      commits.check()
      return commits.isFailing ? journalProblem(commits.lastFailure) : null
    },
    get queued() {
      return commits.length
    },
    get journaled() {
      const oldest = journal.oldestMs()
      return { depth: journal.depth, oldestSeconds: oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1000) }
    },
    waitUntilApplied: () => applier.waitUntilApplied(),
    settle(timeoutMs) {
      const done = commits.whenIdle().then(() => applier.whenDone())
      return within(timers, timeoutMs, done, false)
    },
    async close() {
      commits.stop()
      await applier.stop()
      journal.close()
    },
  }
}
