import { AppError } from '../app-error'
import type { Clock } from '../clock'
import type { Timers } from './timers'

interface Entry<T> {
  readonly item: T
  readonly addedAt: number
  resolve: () => void
  reject: (error: AppError) => void
}

export interface GroupCommitOptions<T> {
  /** Make a batch durable, all of it or nothing. */
  commit(batch: readonly T[]): Promise<void> | void
  /** Commit something that does not matter. Called while commits fail and no item waits for one. */
  probe(): void
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
  onFailure(error: unknown): void
}

const mostAtOnce = 256
/** Enough to share the price of a commit: for more nobody is kept waiting. */
const worthCommitting = 24
/** An item that cannot be committed for this long is given up, however many wait with it. */
const patienceMs = 2000
const shortestBackOffMs = 50
const longestBackOffMs = 500

/**
 * Commits together what arrives together: while each turn of the event loop brings more, the commit waits for the next, up to a
 * number that is worth it. One that comes alone is committed within its turn; there is no timer.
 */
export class GroupCommit<T> {
  #queue: Entry<T>[] = []
  #isRunning = false
  #isStopped = false
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
   * @throws AppError `ledger.unavailable` after two seconds without a commit. The item is given up then: it is not committed later.
   */
  add(item: T): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queue.push({ item, addedAt: this.options.clock.monotonic(), resolve, reject })
    if (!this.#isRunning) this.#begin()
    return promise
  }

  /** Resolves when every item that came so far is committed or given up. */
  whenIdle(): Promise<void> {
    const isIdle = !this.#isRunning || (this.isFailing && this.#queue.length === 0)
    return isIdle ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Probe no longer. */
  stop(): void {
    this.#isStopped = true
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
    for (;;) {
      if (this.#queue.length > 0) await this.#commitSome()
      else if (this.isFailing && !this.#isStopped) await this.#probe()
      else break
      if (this.#queue.length === 0) this.#tellIdle()
    }
    this.#isRunning = false
  }

  #tellIdle() {
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #commitSome() {
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

  async #probe() {
    try {
      this.options.probe()
      this.#succeeded([])
    } catch (error) {
      this.#failures += 1
      this.options.onFailure(error)
      await this.options.timers.wait(this.#backOffMs())
    }
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
    if (batch.length === 1) this.#queue.push(...batch)
    else this.#queue.unshift(...batch)
    this.#limit = Math.max(1, Math.floor(batch.length / 4))
    this.#giveUpOld(error)
  }

  #giveUpOld(cause: unknown) {
    const latest = this.options.clock.monotonic() - patienceMs
    const old = this.#queue.filter(({ addedAt }) => addedAt <= latest)
    if (old.length === 0) return
    this.#queue = this.#queue.filter(({ addedAt }) => addedAt > latest)
    for (const { reject } of old) reject(new AppError('ledger.unavailable', { cause }))
  }

  #backOffMs() {
    return Math.min(longestBackOffMs, shortestBackOffMs * 2 ** Math.min(this.#failures - 1, 10))
  }
}
