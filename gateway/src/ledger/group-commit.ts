import { AppError } from '../app-error'
import type { Timers } from './timers'

interface Entry<T> {
  readonly item: T
  attempts: number
  resolve: () => void
  reject: (error: AppError) => void
}

export interface GroupCommitOptions<T> {
  /** Make a batch durable, all of it or nothing. What was durable before may come again. */
  commit(batch: readonly T[]): Promise<void> | void
  timers: Timers
  onFailure: (error: unknown) => void
}

const mostAtOnce = 256
/** Enough to share the price of a commit: for more nobody is kept waiting. */
const worthCommitting = 24
/** So often a commit is tried before the one who waits for it is told. It is tried on all the same. */
const triesBeforeTelling = 3
const shortestBackOffMs = 50
const longestBackOffMs = 5000

/**
 * Commits together what arrives together: while each turn of the event loop brings more, the commit waits for the next, up to a
 * number that is worth it. One that comes alone is committed within its turn; there is no timer.
 */
export class GroupCommit<T> {
  #queue: Entry<T>[] = []
  #isRunning = false
  #failures = 0
  #limit = mostAtOnce
  /** How many there were a turn ago, and how many were committed together last. */
  #seen = 0
  #lastTogether = 1
  /** One was committed in this turn already: more may come. */
  #isSecond = false
  #idle: (() => void)[] = []

  constructor(readonly options: GroupCommitOptions<T>) {}

  get length(): number {
    return this.#queue.length
  }
  /** The last commit failed: nothing that needs one should begin. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /**
   * Resolves when the item is durable.
   * @throws AppError `ledger.unavailable` when that does not come to pass soon; it is tried on in the background.
   */
  add(item: T): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queue.push({ item, attempts: 0, resolve, reject })
    if (!this.#isRunning) this.#begin()
    return promise
  }

  /** Resolves when everything that came so far is committed. */
  whenIdle(): Promise<void> {
    return this.#isRunning ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve()
  }

  #begin() {
    const { timers } = this.options
    this.#isRunning = true
    if (this.#lastTogether > 1 || this.#isSecond) {
      this.#seen = 0
      timers.soon(this.#turn)
      return
    }
    this.#isSecond = true
    timers.soon(() => (this.#isSecond = false))
    void this.#run()
  }

  readonly #turn = () => {
    const { length } = this.#queue
    const isCrowded = length > 1 || this.#lastTogether > 1
    const mayMoreCome = isCrowded && length > this.#seen && length < worthCommitting
    this.#seen = length
    if (mayMoreCome) this.options.timers.soon(this.#turn)
    else void this.#run()
  }

  async #run() {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#limit)
      this.#lastTogether = batch.length
      try {
        await this.options.commit(batch.map(({ item }) => item))
        this.#succeeded(batch)
      } catch (error) {
        this.#failed(batch, error)
        await this.options.timers.wait(this.#backOffMs())
      }
    }
    this.#isRunning = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  #succeeded(batch: readonly Entry<T>[]) {
    this.#failures = 0
    this.#limit = Math.min(mostAtOnce, this.#limit * 2)
    for (const { resolve } of batch) resolve()
  }

  /** The batch gets smaller until one alone fails; that one goes last, so that it does not hold up the others. */
  #failed(batch: readonly Entry<T>[], error: unknown) {
    this.#failures += 1
    this.options.onFailure(error)
    for (const entry of batch) {
      entry.attempts += 1
      if (entry.attempts === triesBeforeTelling) entry.reject(new AppError('ledger.unavailable', { cause: error }))
    }
    if (batch.length === 1) this.#queue.push(...batch)
    else this.#queue.unshift(...batch)
    this.#limit = Math.max(1, Math.floor(batch.length / 4))
  }

  #backOffMs() {
    return Math.min(longestBackOffMs, shortestBackOffMs * 2 ** Math.min(this.#failures - 1, 10))
  }
}
