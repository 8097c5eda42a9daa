import type { ApplyCharges } from './apply-charges'
import type { LeaseDebt } from './lease-charges'
import type { Journal, JournaledCharge } from './journal'
import type { Timers } from './timers'

export interface JournalApplierOptions {
  readonly journal: Journal
  readonly apply: ApplyCharges
  readonly timers: Timers
  /** They may be told again, when the journal does not let go of them. */
  readonly onApplied: (charges: readonly JournaledCharge[], debts: readonly LeaseDebt[]) => void
  readonly onFailure: (error: unknown) => void
}

/** A batch writes each page of the tables and their indexes once: the larger, the cheaper a charge, and the longer others wait. */
const mostAtOnce = 256
/** So long charges gather when nobody waits for them. */
const gatherMs = 25
const shortestBackOffMs = 50
const longestBackOffMs = 5000

interface Reader {
  readonly last: number
  readonly resolve: () => void
}

/**
 * Moves charges from the journal into the database, as long as that takes. What is durable already need not be there at
 * once, so charges go in batches; who wants to read them hurries it on.
 */
export class JournalApplier {
  #isRunning = false
  #isStopped = false
  #failures = 0
  #limit = mostAtOnce
  /** Charges up to here were put off because the database refuses them; they come again when the end is reached. */
  #after = 0
  #idle: ((isDone: boolean) => void)[] = []
  #readers: Reader[] = []
  /** Ends the gathering. */
  #begin: (() => void) | null = null

  constructor(readonly options: JournalApplierOptions) {}

  /** Apply what is in the journal, soon or when a run that is under way gets to it. */
  wake(): void {
    if (this.options.journal.depth >= this.#limit) this.#begin?.()
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    void this.#run()
  }

  /** Resolves when what is in the journal now is in the database, or when the database refuses something. */
  applied(): Promise<void> {
    const { depth, last } = this.options.journal
    if (depth === 0 || this.#isStopped) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.push({ last, resolve })
    this.#hurry()
    return promise
  }

  /** Resolves when the journal is empty. */
  whenDone(): Promise<boolean> {
    if (this.options.journal.depth === 0 && !this.#isRunning) return Promise.resolve(true)
    const done = new Promise<boolean>((resolve) => this.#idle.push(resolve))
    this.#hurry()
    return done
  }

  /** Begin no further batch. Resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#begin?.()
    if (this.#isRunning) await new Promise((resolve) => this.#idle.push(resolve))
  }

  #hurry() {
    this.wake()
    this.#begin?.()
  }

  async #run() {
    const { journal, timers } = this.options
    while (!this.#isStopped && journal.depth > 0) {
      await this.#gathered()
      if (this.#isStopped) break
      const isApplied = await this.#applySome()
      if (!isApplied && !this.#isStopped) await timers.wait(this.#backOffMs())
    }
    this.#isRunning = false
    this.#tellReaders(Infinity)
    for (const resolve of this.#idle.splice(0)) resolve(journal.depth === 0)
  }

  /** Resolves when there is enough for a batch, when somebody waits, or when time is up; never within this turn. */
  #gathered(): Promise<void> {
    const { journal, timers } = this.options
    const { promise, resolve } = Promise.withResolvers<void>()
    if (journal.depth >= this.#limit || this.#readers.length > 0 || this.#idle.length > 0) timers.soon(resolve)
    else {
      const cancel = timers.after(gatherMs, () => this.#begin?.())
      this.#begin = () => {
        this.#begin = null
        cancel()
        timers.soon(resolve)
      }
    }
    return promise
  }

  #tellReaders(last: number) {
    if (this.#readers.length === 0) return
    for (const reader of this.#readers) if (reader.last <= last) reader.resolve()
    this.#readers = this.#readers.filter((reader) => reader.last > last)
  }

  async #applySome(): Promise<boolean> {
    const { journal, apply, onApplied, onFailure } = this.options
    let charges: JournaledCharge[] = []
    try {
      charges = journal.read(this.#after, this.#limit)
      if (charges.length === 0) return this.#beginAgain()
      onApplied(charges, await apply(charges.map(({ record }) => record)))
      journal.remove(charges)
    } catch (error) {
      onFailure(error)
      this.#putOff(charges)
      this.#tellReaders(Infinity)
      return false
    }
    this.#tellReaders(charges.at(-1)?.seq ?? 0)
    this.#failures = 0
    this.#limit = Math.min(mostAtOnce, this.#limit * 2)
    return true
  }

  /** The end is reached and some were put off: they come again. */
  #beginAgain(): boolean {
    this.#after = 0
    return this.#failures === 0
  }

  /** The next batch is smaller, until one charge alone is refused; the others go before that one. */
  #putOff(charges: readonly JournaledCharge[]) {
    this.#failures += 1
    const [first] = charges
    if (first && charges.length === 1) this.#after = first.seq
    this.#limit = Math.max(1, Math.floor(charges.length / 4))
  }

  #backOffMs() {
    return Math.min(longestBackOffMs, shortestBackOffMs * 2 ** Math.min(this.#failures, 10))
  }
}
