import type { Timers } from '../time/timers'

/** What waits to be written, in order. */
export interface BatchSource<T> {
  /** How many wait, those of a batch that is being written included. */
  readonly length: number
  /** Returns the next batch; none when all that are left were refused and come again with the next call. */
  take(limit: number): readonly T[]
  /** Called with what `take` returned, when it was written. */
  onWritten(batch: readonly T[]): void
  /** Called with what `take` returned, when it was not. The item of a batch of one lets the others go first. */
  onRefused(batch: readonly T[]): void
  /** Called before a batch is tried again: gives up what has waited for too long. */
  dropLate?(): void
  /** Called when nothing more is written: gives up what is left. */
  dropAll?(): void
}

export interface BatchQueueOptions<T> {
  readonly source: BatchSource<T>
  /** Writes a batch, all of it or nothing. */
  readonly write: (batch: readonly T[]) => Promise<void> | void
  readonly maxAtOnce: number
  readonly backOff: { readonly minMs: number; readonly maxMs: number }
  /**
   * For how long items gather while there are too few for a whole batch. With 0 for the present turn of the event loop; without
   * it not at all: the first is written before `wake` returns.
   */
  readonly gatherMs?: number
  /** Whether someone waits for what is in the source: then it does not gather. */
  readonly isAwaited?: () => boolean
  /** Called while writes fail and nothing waits. Throws while they would still fail. */
  readonly probe?: () => void
  readonly timers: Timers
  /** `failures` counts those in a row, this one included. */
  readonly onFailure: (error: unknown, failures: number) => void
  readonly onWritten?: (batch: readonly T[]) => void
  /** Called when a write succeeds after failures. */
  readonly onRecovered?: () => void
}

/**
 * Writes what waits in batches, one at a time, for as long as that takes. A batch that is refused is tried again after a pause
 * and with fewer items, down to the one that is to blame: that one goes last, so that it does not hold up the others. The
 * pauses grow with the failures, the batches with each success.
 */
export class BatchQueue<T> {
  #isRunning = false
  #isStopped = false
  #failures = 0
  #limit: number
  #idle: (() => void)[] = []
  #endGathering: (() => void) | null = null
  #endPause: (() => void) | null = null

  constructor(readonly options: BatchQueueOptions<T>) {
    this.#limit = options.maxAtOnce
  }

  get isRunning(): boolean {
    return this.#isRunning
  }
  /** The last write failed. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Call it after something was added to the source. */
  wake(): void {
    if (this.options.source.length >= this.#limit) this.#endGathering?.()
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    void this.#run()
  }

  /** Records that a write would fail, though nothing waits for one: it is probed until it would succeed. */
  wouldFail(error: unknown): void {
    this.#handleFailure(error)
    this.wake()
  }

  /** Writes what is there without gathering more. */
  hurry(): void {
    this.wake()
    this.#endGathering?.()
  }

  /** Resolves when nothing waits any more, or when the queue has stopped. What was refused is tried again at once. */
  whenIdle(): Promise<void> {
    if (this.options.source.length === 0 || this.#isStopped) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#idle.push(resolve)
    this.hurry()
    this.#endPause?.()
    return promise
  }

  /** Begins no further batch, and gives up what is left. Resolves when no write is in progress. */
  async stop(): Promise<void> {
    const ended = this.#isRunning ? new Promise<void>((resolve) => this.#idle.push(resolve)) : null
    this.#isStopped = true
    this.#endGathering?.()
    this.#endPause?.()
    this.options.source.dropAll?.()
    await ended
  }

  async #run(): Promise<void> {
    const { source, gatherMs, probe } = this.options
    while (!this.#isStopped) {
      if (source.length > 0) {
        if (gatherMs !== undefined && !this.isFailing) await this.#gather(gatherMs)
        if (!this.#isStopped) await this.#writeSome()
      } else if (probe && this.isFailing) await this.#probe(probe)
      else break
      if (source.length === 0 && !this.#isStopped) this.#resolveIdle()
    }
    this.#isRunning = false
    this.#resolveIdle()
  }

  #gather(ms: number): Promise<void> {
    const { source, timers, isAwaited } = this.options
    const { promise, resolve } = Promise.withResolvers<void>()
    const isEnough = source.length >= this.#limit || this.#idle.length > 0 || isAwaited?.() === true
    if (ms === 0 || isEnough) timers.soon(resolve)
    else {
      const cancel = timers.after(ms, () => this.#endGathering?.())
      this.#endGathering = () => {
        this.#endGathering = null
        cancel()
        timers.soon(resolve)
      }
    }
    return promise
  }

  async #writeSome(): Promise<void> {
    const { source, write, onWritten } = this.options
    if (this.isFailing) source.dropLate?.()
    let batch: readonly T[] = []
    try {
      batch = source.take(this.#limit)
      if (batch.length > 0) {
        await write(batch)
        source.onWritten(batch)
        this.#handleSuccess()
        onWritten?.(batch)
      }
    } catch (error) {
      source.onRefused(batch)
      this.#limit = Math.max(1, Math.floor(batch.length / 4))
      this.#handleFailure(error)
    }
    if (this.isFailing) await this.#pause()
  }

  async #probe(probe: () => void): Promise<void> {
    try {
      probe()
      this.#handleSuccess()
    } catch (error) {
      this.#handleFailure(error)
      await this.#pause()
    }
  }

  #handleSuccess(): void {
    const { maxAtOnce, onRecovered } = this.options
    const hasRecovered = this.isFailing
    this.#failures = 0
    this.#limit = Math.min(maxAtOnce, this.#limit * 2)
    if (hasRecovered) onRecovered?.()
  }

  #handleFailure(error: unknown): void {
    this.#failures += 1
    this.options.onFailure(error, this.#failures)
  }

  #pause(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const { minMs, maxMs } = this.options.backOff
    const { promise, resolve } = Promise.withResolvers<void>()
    const ms = Math.min(maxMs, minMs * 2 ** Math.min(this.#failures - 1, 10))
    const cancel = this.options.timers.after(ms, resolve)
    this.#endPause = () => {
      cancel()
      resolve()
    }
    return promise
  }

  #resolveIdle(): void {
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
