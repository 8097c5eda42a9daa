import { createClock, type Clock } from '../src/platform/time/clock'
import type { Timers } from '../src/platform/time/timers'

interface Pending {
  /** Monotonic milliseconds. */
  readonly at: number
  readonly work: () => void
  alarm: Timer
}

/** How much passes in each step of a hurry, which takes a millisecond or more: enough for what runs in other threads. */
const stepMs = 20

/**
 * The machine's clock and timers, which pass faster while a test hurries: for gateways that wait for a time limit. A process that stands
 * still reaches none meanwhile.
 */
export class HurriedTime implements Timers {
  readonly clock: Clock = createClock(
    () => Date.now() + this.#aheadMs,
    () => performance.now() + this.#aheadMs,
  )
  readonly #pending = new Set<Pending>()
  #aheadMs = 0
  #hurries = 0

  /** Returns both, for what takes them among other things. */
  get parts(): { readonly clock: Clock; readonly timers: Timers } {
    return { clock: this.clock, timers: this }
  }

  readonly wait = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, resolve))

  readonly soon = (work: () => void): void => void setImmediate(work)

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer: Pending = { at: this.clock.monotonic() + ms, work, alarm: setTimeout(() => this.#run(timer), ms) }
    this.#pending.add(timer)
    return () => this.#end(timer)
  }

  readonly every = (ms: number, work: () => void): (() => void) => {
    const again = () => {
      cancel = this.after(ms, again)
      work()
    }
    let cancel = this.after(ms, again)
    return () => cancel()
  }

  /** Lets time pass twenty times as fast until the work is over. Resolves or rejects as it does. */
  async hurry<Result>(work: PromiseLike<Result>): Promise<Result> {
    this.#hurries += 1
    if (this.#hurries === 1) void this.#pass()
    try {
      return await work
    } finally {
      this.#hurries -= 1
    }
  }

  async #pass(): Promise<void> {
    while (this.#hurries > 0) {
      this.#aheadMs += stepMs
      const now = this.clock.monotonic()
      const due = [...this.#pending].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
      // One that another one cancels does not come.
      for (const timer of due) if (this.#pending.has(timer)) this.#run(timer)
      await Bun.sleep(1)
    }
    for (const timer of this.#pending) {
      clearTimeout(timer.alarm)
      timer.alarm = setTimeout(() => this.#run(timer), Math.max(0, timer.at - this.clock.monotonic()))
    }
  }

  #run(timer: Pending): void {
    this.#end(timer)
    timer.work()
  }

  #end(timer: Pending): void {
    clearTimeout(timer.alarm)
    this.#pending.delete(timer)
  }
}
