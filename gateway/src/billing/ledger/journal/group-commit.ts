import { AppError } from '../../../platform/app-error'
import { BatchQueue } from '../../../platform/batching/batch-queue'
import { WaitingList } from '../../../platform/batching/waiting-list'
import type { Clock } from '../../../platform/time/clock'
import type { Timers } from '../../../platform/time/timers'

export interface GroupCommitOptions<T> {
  /** Makes a batch durable, all of it or nothing. */
  readonly commit: (batch: readonly T[]) => Promise<void> | void
  /** Commits something that does not matter. Called while commits fail and no item waits for one. */
  readonly probe: () => void
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
  readonly onFailure: (error: unknown) => void
}

interface Entry<T> {
  readonly item: T
  readonly resolve: () => void
  readonly reject: (error: AppError) => void
}

const maxAtOnce = 256
/** Enough to share the price of a commit: no item waits for more. */
const worthCommitting = 24
/** An item that cannot be committed for this long is given up, however many wait with it. */
const commitTimeoutMs = 2000
const checkedForMs = 5000
const backOff = { minMs: 50, maxMs: 500 }

/**
 * Commits together what arrives together: while each turn of the event loop brings more, the commit waits for the next, up to a
 * number that is worth it. An item that comes alone is committed within its turn; there is no timer. Unlike other users of
 * `BatchQueue` it tells the sender of each item whether it was written, and so decides itself when a batch begins.
 */
export class GroupCommit<T> {
  readonly #list: WaitingList<Entry<T>>
  readonly #queue: BatchQueue<Entry<T>>
  #isGathering = false
  /** How many there were a turn ago, and how many were committed together last. */
  #seen = 0
  #lastTogether = 1
  /** One was committed in this turn already: more may come. */
  #isSecond = false
  #lastFailure: unknown
  /** When the last commit or check was tried, in monotonic milliseconds. */
  #triedAt = -Infinity

  constructor(readonly options: GroupCommitOptions<T>) {
    const { clock, timers, probe, onFailure } = options
    this.#list = new WaitingList({
      age: { maxMs: commitTimeoutMs, clock },
      onDropped: (dropped) => {
        for (const { reject } of dropped) reject(new AppError('ledger.unavailable', { cause: this.#lastFailure }))
      },
    })
    this.#queue = new BatchQueue({
      source: this.#list,
      write: (batch) => this.#commit(batch),
      onWritten(batch) {
        for (const { resolve } of batch) resolve()
      },
      maxAtOnce,
      backOff,
      probe,
      timers,
      onFailure: (error) => {
        this.#lastFailure = error
        onFailure(error)
      },
    })
  }

  get length(): number {
    return this.#list.length
  }
  /** The last commit failed: nothing that needs one should begin. */
  get isFailing(): boolean {
    return this.#queue.isFailing
  }
  /** Why it failed; undefined where none has. */
  get lastFailure(): unknown {
    return this.#lastFailure
  }

  /** Probes where no commit was tried for a while, so that a failure is known before an item needs a commit. */
  check(): void {
    const { clock, probe } = this.options
    if (this.isFailing || clock.monotonic() < this.#triedAt + checkedForMs) return
    this.#triedAt = clock.monotonic()
    try {
      probe()
    } catch (error) {
      this.#queue.wouldFail(error)
    }
  }

  /**
   * Resolves when the item is durable.
   * @throws AppError `ledger.unavailable` after two seconds without a commit. The item is given up then: it is not committed later.
   */
  add(item: T): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#list.add({ item, resolve, reject })
    if (!this.#queue.isRunning && !this.#isGathering) this.#begin()
    return promise
  }

  /** Resolves when every item that came so far is committed or given up. */
  whenIdle(): Promise<void> {
    return this.#queue.whenIdle()
  }

  /** Gives up what is not committed, and probes no longer. */
  stop(): void {
    void this.#queue.stop()
  }

  #begin() {
    const { timers } = this.options
    if (this.#lastTogether > 1 || this.#isSecond) {
      this.#seen = 0
      this.#isGathering = true
      timers.soon(this.#turn)
      return
    }
    this.#isSecond = true
    timers.soon(() => (this.#isSecond = false))
    this.#queue.wake()
  }

  readonly #turn = () => {
    const { length } = this.#list
    const isCrowded = length > 1 || this.#lastTogether > 1
    const mayMoreCome = isCrowded && length > this.#seen && length < worthCommitting
    this.#seen = length
    if (mayMoreCome) return this.options.timers.soon(this.#turn)
    this.#isGathering = false
    this.#queue.wake()
  }

  async #commit(batch: readonly Entry<T>[]): Promise<void> {
    this.#lastTogether = batch.length
    this.#triedAt = this.options.clock.monotonic()
    await this.options.commit(batch.map(({ item }) => item))
  }
}
