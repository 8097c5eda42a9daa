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
