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
export class JournalSink implements ChargeSink {
  readonly #commits: GroupCommit<ChargeRecord>
  readonly #applier: JournalApplier
  /** The latest failure was reported, and its end was not. */
  #isReported = false

  constructor(private readonly options: JournalSinkOptions) {
    const { journal, apply, clock, timers, onApplied, onFailure } = options
    this.#applier = new JournalApplier({
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
    this.#commits = new GroupCommit<ChargeRecord>({
      clock,
      timers,
      onFailure: (error) => {
        if (!this.#isReported) onFailure(error)
        this.#isReported = true
      },
      probe: () => {
        journal.probe()
        this.#reportDurable()
      },
      commit: (batch) => {
        journal.append(batch, clock.now())
        this.#reportDurable()
        this.#applier.wake()
      },
    })
    this.#applier.wake()
  }

  add(record: ChargeRecord): Promise<void> {
    return this.#commits.add(record)
  }

  get isFailing(): boolean {
    return this.#commits.isFailing
  }

  problem(): JournalProblem | null {
    this.#commits.check()
    return this.#commits.isFailing ? journalProblem(this.#commits.lastFailure) : null
  }

  get queued(): number {
    return this.#commits.length
  }

  get journaled(): ChargeSink['journaled'] {
    const { journal, clock } = this.options
    const oldest = journal.oldestMs()
    return { depth: journal.depth, oldestSeconds: oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1000) }
  }

  waitUntilApplied(): Promise<void> {
    return this.#applier.waitUntilApplied()
  }

  settle(timeoutMs: number): Promise<boolean> {
    const done = this.#commits.whenIdle().then(() => this.#applier.whenDone())
    return within(this.options.timers, timeoutMs, done, false)
  }

  async close(): Promise<void> {
    this.#commits.stop()
    await this.#applier.stop()
    this.options.journal.close()
  }

  #reportDurable(): void {
    if (this.#isReported) this.options.onRecovery()
    this.#isReported = false
  }
}
