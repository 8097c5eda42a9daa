export interface Limit {
  readonly points: number
  readonly durationSeconds: number
}

export interface LimitResult {
  readonly allowed: boolean
  /** Events that the window allows after this one. */
  readonly remaining: number
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number
}

/** Counts in this process's memory, for which nothing is awaited. */
interface CountsInMemory {
  consumeNow(key: string, limit: Limit): LimitResult
  peekNow(key: string, limit: Limit): LimitResult
}

/** Counts events in fixed windows that begin with a key's first event. */
export interface Limiter {
  /** The same counts, where all of them are in this process's memory; null: they are elsewhere. */
  readonly inMemory: CountsInMemory | null
  /** Counts one event; refused when it is beyond the limit. */
  consume(key: string, limit: Limit): Promise<LimitResult>
  /** Returns whether another event would be allowed. Counts nothing. */
  peek(key: string, limit: Limit): Promise<LimitResult>
  /** Undoes the count of one event. */
  restore(key: string, limit: Limit): Promise<void>
  /** Redis is unavailable, so each worker counts alone. */
  readonly isAlone: boolean
  close(): Promise<void>
}

/** Counts in this process only. */
export class MemoryLimiter implements Limiter, CountsInMemory {
  readonly isAlone = false
  readonly inMemory = this
  readonly #now: () => number
  // A map per window length: a key that included the length would have to be built and hashed for each call.
  readonly #byLength = new Map<number, Windows>()

  /** `now` returns monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async consume(key: string, limit: Limit): Promise<LimitResult> {
    return this.consumeNow(key, limit)
  }

  async peek(key: string, limit: Limit): Promise<LimitResult> {
    return this.peekNow(key, limit)
  }

  consumeNow(key: string, { points, durationSeconds }: Limit): LimitResult {
    const { count, endsInMs } = this.#windowsOf(durationSeconds).add(key, durationSeconds * 1000)
    return toLimitResult(points - count, endsInMs)
  }

  peekNow(key: string, { points, durationSeconds }: Limit): LimitResult {
    const { count, endsInMs } = this.#windowsOf(durationSeconds).peek(key)
    return toLimitResult(points - count - 1, endsInMs || durationSeconds * 1000)
  }

  async restore(key: string, { durationSeconds }: Limit): Promise<void> {
    this.#windowsOf(durationSeconds).takeBack(key)
  }

  async close(): Promise<void> {}

  #windowsOf(seconds: number): Windows {
    const known = this.#byLength.get(seconds)
    if (known) return known
    const windows = new Windows(this.#now)
    this.#byLength.set(seconds, windows)
    return windows
  }
}

/** A changed window starts over. */
export const keyOf = (key: string, durationSeconds: number) => `${durationSeconds}:${key}`

/** `left` are the points left once the event counts; below 0 it is refused. */
export const toLimitResult = (left: number, remainingMs: number): LimitResult => ({
  allowed: left >= 0,
  remaining: Math.max(left, 0),
  retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)),
})

interface Window {
  count: number
  /** Monotonic milliseconds. */
  readonly endsAt: number
}

export interface Counted {
  /** Events of the window, including the current one if it was counted. */
  readonly count: number
  /** Milliseconds until the window ends. */
  readonly endsInMs: number
}

const fewest = 1000

/**
 * Counts events in fixed windows that begin with a key's first event, in this process's memory. Synchronous: it is called several times on
 * the path of every call.
 */
export class Windows {
  readonly #windows = new Map<string, Window>()
  /** The number of keys at which those that are over are removed. */
  #sweepAt = fewest

  /** `now` returns monotonic milliseconds. */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.#windows.size
  }

  /** Counts one event. */
  add(key: string, durationMs: number): Counted {
    const now = this.now()
    const open = this.#windows.get(key)
    if (open && open.endsAt > now) {
      open.count += 1
      return { count: open.count, endsInMs: open.endsAt - now }
    }
    if (!open && this.#windows.size >= this.#sweepAt) this.#sweep(now)
    this.#windows.set(key, { count: 1, endsAt: now + durationMs })
    return { count: 1, endsInMs: durationMs }
  }

  /** Returns what was counted. */
  peek(key: string): Counted {
    const open = this.#windows.get(key)
    const endsInMs = open ? open.endsAt - this.now() : 0
    return open && endsInMs > 0 ? { count: open.count, endsInMs } : { count: 0, endsInMs: 0 }
  }

  /** Undoes the count of one event, if the window is still open. */
  takeBack(key: string): void {
    const open = this.#windows.get(key)
    if (open && open.count > 0 && open.endsAt > this.now()) open.count -= 1
  }

  #sweep(now: number) {
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
    this.#sweepAt = Math.max(fewest, this.#windows.size * 2)
  }
}
