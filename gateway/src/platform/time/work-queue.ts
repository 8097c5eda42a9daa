import { AppError } from '../app-error'

export interface QueueLimits {
  /** How many run at once. */
  readonly running: number
  /** How many of one key do, as of one user. */
  readonly perKey: number
  /** How many may wait; more are refused. */
  readonly waiting: number
}

interface Waiting {
  readonly key: number
  readonly start: () => void
}

const retryAfterSeconds = 5

/** Lets a few pieces of expensive work run at once; the others wait in the order in which they came. */
export class WorkQueue {
  #running = 0
  readonly #byKey = new Map<number, number>()
  readonly #waiting: Waiting[] = []

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Resolves with a place when it is the turn of this work; disposing of it twice does nothing.
   * @throws AppError `gateway.busy` when too many wait.
   */
  async enter(key = 0): Promise<Disposable> {
    if (!this.#mayRun(key)) {
      if (this.#waiting.length >= this.limits.waiting) throw new AppError('gateway.busy', { retryAfterSeconds })
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.push({ key, start: resolve })
      await promise
    } else this.#start(key)
    let isOver = false
    return {
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        this.#end(key)
      },
    }
  }

  /** Resolves as the work does, which begins when it is its turn. @throws AppError `gateway.busy`. */
  async run<Value>(work: () => Promise<Value>, key = 0): Promise<Value> {
    using _ = await this.enter(key)
    return await work()
  }

  #mayRun(key: number): boolean {
    return this.#running < this.limits.running && (this.#byKey.get(key) ?? 0) < this.limits.perKey
  }

  #start(key: number): void {
    this.#running += 1
    this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + 1)
  }

  #end(key: number): void {
    this.#running -= 1
    const left = (this.#byKey.get(key) ?? 1) - 1
    if (left > 0) this.#byKey.set(key, left)
    else this.#byKey.delete(key)
    const next = this.#waiting.findIndex((one) => this.#mayRun(one.key))
    const [started] = next < 0 ? [] : this.#waiting.splice(next, 1)
    if (!started) return
    this.#start(started.key)
    started.start()
  }
}
