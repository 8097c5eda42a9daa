import { BatchQueue, type BatchSource } from '../../../platform/batching/batch-queue'
import type { Timers } from '../../../platform/time/timers'
import type { ApplyCharges } from '../charge/apply-charges'
import type { Journal, JournaledCharge } from './journal'
import type { LeaseDebt } from '../lease/lease-charges'

export interface JournalApplierOptions {
  readonly journal: Journal
  readonly apply: ApplyCharges
  readonly timers: Timers
  /** Called once more with the same charges when the journal does not let go of them. */
  readonly onApplied: (charges: readonly JournaledCharge[], debts: readonly LeaseDebt[]) => void
  readonly onFailure: (error: unknown) => void
}

/** A batch writes each page of the tables and their indexes once: the larger, the cheaper a charge, and the longer others wait. */
const maxAtOnce = 256
/** How long charges gather while no reader waits for them. */
const gatherMs = 25
const backOff = { minMs: 100, maxMs: 5000 }

interface Reader {
  readonly last: number
  readonly resolve: () => void
}

/**
 * Moves charges from the journal into the database, as long as that takes. What is durable already need not be there at
 * once, so charges go in batches; a reader that waits for them hurries it.
 */
export class JournalApplier {
  #isStopped = false
  #readers: Reader[] = []
  readonly #queue: BatchQueue<JournaledCharge>

  constructor(readonly options: JournalApplierOptions) {
    const { journal, apply, timers, onApplied, onFailure } = options
    this.#queue = new BatchQueue({
      source: new JournaledCharges(journal, () => this.#resolveReaders(Infinity)),
      write: async (charges) => onApplied(charges, await apply(charges.map(({ record }) => record))),
      maxAtOnce,
      gatherMs,
      isAwaited: () => this.#readers.length > 0,
      backOff,
      timers,
      onWritten: (charges) => this.#resolveReaders(charges.at(-1)?.seq ?? 0),
      onFailure: (error) => {
        onFailure(error)
        this.#resolveReaders(Infinity)
      },
    })
  }

  /** Applies what is in the journal, soon or when a run that is in progress gets to it. */
  wake(): void {
    this.#queue.wake()
  }

  /** Resolves when what is in the journal now is in the database, or when the database refuses something. */
  waitUntilApplied(): Promise<void> {
    const { depth, last } = this.options.journal
    if (depth === 0 || this.#isStopped) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.push({ last, resolve })
    this.#queue.hurry()
    return promise
  }

  /** Resolves when the journal is empty, or when the applier has stopped. Returns whether it is empty. */
  async whenDone(): Promise<boolean> {
    await this.#queue.whenIdle()
    return this.options.journal.depth === 0
  }

  /** Begins no further batch. Resolves when none is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#queue.stop()
    this.#resolveReaders(Infinity)
  }

  #resolveReaders(last: number) {
    if (this.#readers.length === 0) return
    for (const reader of this.#readers) if (reader.last <= last) reader.resolve()
    this.#readers = this.#readers.filter((reader) => reader.last > last)
  }
}

/** The charges of a journal. */
class JournaledCharges implements BatchSource<JournaledCharge> {
  /** Charges up to here were put off because the database refuses them; they come again when the end is reached. */
  #after = 0

  constructor(
    private readonly journal: Journal,
    /** Called when those that are left have been refused. */
    private readonly onEnd: () => void,
  ) {}

  get length(): number {
    return this.journal.depth
  }

  take(limit: number): readonly JournaledCharge[] {
    const charges = this.journal.read(this.#after, limit)
    if (charges.length > 0) return charges
    this.#after = 0
    this.onEnd()
    return charges
  }

  onWritten(charges: readonly JournaledCharge[]): void {
    this.journal.remove(charges)
  }

  onRefused([first, second]: readonly JournaledCharge[]): void {
    if (first && !second) this.#after = first.seq
  }
}
