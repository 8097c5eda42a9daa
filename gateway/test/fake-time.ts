import type { Clock } from '../src/platform/time/clock'
import type { Timers } from '../src/platform/time/timers'
import { eventually } from './eventually'

interface Pending {
  readonly at: number
  readonly ms: number
  readonly work: () => void
}

/** A clock and timers that only move when told. `soon` is the runtime's own: a turn of the event loop takes no time. */
export class FakeTime implements Clock, Timers {
  readonly clock: Clock = this
  readonly timers: Timers = this
  /** In order of their beginning. */
  readonly #pending = new Set<Pending>()
  #ms: number
  #aheadMs = 0

  constructor(ms = 1_800_000_000_000) {
    this.#ms = ms
  }

  readonly now = (): number => this.#ms + this.#aheadMs
  readonly seconds = (): number => Math.floor(this.now() / 1000)
  readonly monotonic = (): number => this.#ms

  readonly wait = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, resolve))

  readonly soon = (work: () => void): void => void setImmediate(work)

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.#ms + ms, ms, work }
    this.#pending.add(timer)
    return () => void this.#pending.delete(timer)
  }

  readonly every = (ms: number, work: () => void): (() => void) => {
    const again = () => {
      cancel = this.after(ms, again)
      work()
    }
    let cancel = this.after(ms, again)
    return () => cancel()
  }

  /** Lets time pass, and runs in order what becomes due meanwhile. */
  advance(ms: number): void {
    const end = this.#ms + ms
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#pending.delete(next)
      this.#ms = Math.max(this.#ms, next.at)
      next.work()
    }
    this.#ms = end
  }

  /** Sets the wall clock ahead, or back: no time passes. */
  jump(ms: number): void {
    this.#aheadMs += ms
  }

  /** Lets time pass while the process is suspended: nothing runs. */
  stall(ms: number): void {
    this.#ms += ms
  }

  /** Returns both, for what takes them among other things. */
  get parts(): { readonly clock: Clock; readonly timers: Timers } {
    return { clock: this, timers: this }
  }

  /** How many are waiting. */
  get pending(): number {
    return this.#pending.size
  }

  /** Resolves when something waits whose whole wait is this long. */
  async untilWaiting(ms: number): Promise<void> {
    await eventually(async () => [...this.#pending].some((timer) => timer.ms === ms) || null)
  }

  #next(end: number): Pending | null {
    let first: Pending | null = null
    for (const timer of this.#pending) if (timer.at <= end && (first === null || timer.at < first.at)) first = timer
    return first
  }
}

/** A wall clock that only moves when told. Monotonic time is the system's. */
export class WallClock implements Clock {
  #ms: number

  constructor(ms = Date.now()) {
    this.#ms = ms
  }

  readonly now = (): number => this.#ms
  readonly seconds = (): number => Math.floor(this.now() / 1000)
  readonly monotonic = (): number => performance.now()

  /** Sets it ahead, or back. */
  jump(ms: number): void {
    this.#ms += ms
  }

  moveTo(ms: number): void {
    this.#ms = ms
  }
}
