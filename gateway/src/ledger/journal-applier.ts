import type { ApplyCharges } from './apply-charges'
import type { Journal, JournaledCharge } from './journal'
import type { Timers } from './timers'

export interface JournalApplierOptions {
  readonly journal: Journal
  readonly apply: ApplyCharges
  readonly timers: Timers
  readonly onApplied: (charges: readonly JournaledCharge[]) => void
  readonly onFailure: (error: unknown) => void
}

const mostAtOnce = 500
const shortestBackOffMs = 50
const longestBackOffMs = 5000

/** Moves charges from the journal into the database, as long as that takes. */
export class JournalApplier {
  #isRunning = false
  #isStopped = false
  #failures = 0
  #limit = mostAtOnce
  /** Charges up to here were put off because the database refuses them; they come again when the end is reached. */
  #after = 0
  #idle: ((isDone: boolean) => void)[] = []

  constructor(readonly options: JournalApplierOptions) {}

  /** Apply what is in the journal, now or when a run that is under way gets to it. */
  wake(): void {
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    this.options.timers.soon(() => void this.#run())
  }

  /** Resolves when the journal is empty. */
  whenDone(): Promise<boolean> {
    if (this.options.journal.depth === 0 && !this.#isRunning) return Promise.resolve(true)
    this.wake()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Begin no further batch. Resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#isRunning) await new Promise((resolve) => this.#idle.push(resolve))
  }

  async #run() {
    const { journal, timers } = this.options
    while (!this.#isStopped && journal.depth > 0) {
      const isApplied = await this.#applySome()
      if (!isApplied && !this.#isStopped) await timers.wait(this.#backOffMs())
    }
    this.#isRunning = false
    for (const resolve of this.#idle.splice(0)) resolve(journal.depth === 0)
  }

  async #applySome(): Promise<boolean> {
    const { journal, apply, onApplied, onFailure } = this.options
    let charges: JournaledCharge[] = []
    try {
      charges = journal.read(this.#after, this.#limit)
      if (charges.length === 0) return this.#beginAgain()
      await apply(charges.map(({ record }) => record))
      journal.remove(charges)
    } catch (error) {
      onFailure(error)
      this.#putOff(charges)
      return false
    }
    onApplied(charges)
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
