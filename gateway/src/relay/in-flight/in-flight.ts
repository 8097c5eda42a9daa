import type { Time } from '../../platform/time/timers'
import { RunningAttempts, type CallOwner } from '../../channels/calls/running-attempts'
import type { MemoryLimits } from '../../platform/config/config'
import { ByteBudget } from '../../http/limits/byte-budget'
import { BackgroundCalls } from '../background/background-calls'
import type { Catalog } from '../../channels/catalog/catalog'

/** A session that lasts for many responses. */
export interface LiveSession {
  readonly owner: CallOwner
  /** Lets the response that runs end, and then the session: the gateway stops. */
  drain(): void
  /** Takes over the limits of the catalog, and ends the session likewise where its channel is not enabled any more. */
  follow(catalog: Catalog): void
}

/** The sessions of this worker. */
class LiveSessions {
  readonly #all = new Set<LiveSession>()

  add(session: LiveSession): void {
    this.#all.add(session)
  }

  /** Removes a session that is over; removing it again does nothing. */
  remove(session: LiveSession): void {
    this.#all.delete(session)
  }

  countOf(isMeant: (owner: CallOwner) => boolean): number {
    let count = 0
    for (const { owner } of this.#all) if (isMeant(owner)) count += 1
    return count
  }

  drain(): void {
    for (const session of this.#all) session.drain()
  }

  follow(catalog: Catalog): void {
    for (const session of this.#all) session.follow(catalog)
  }
}

/** Counts the calls in flight, so that a stopping worker knows when it may exit. */
export class InFlight {
  readonly upstreams: RunningAttempts
  readonly sessions = new LiveSessions()
  /** They are counted as calls in flight too. */
  readonly background = new BackgroundCalls()
  /** What they hold in memory. */
  readonly memory: ByteBudget
  #count = 0
  #entered = 0
  #waiting: (() => void)[] = []

  constructor(
    private readonly time: Time,
    /** What they may hold. */
    memory: MemoryLimits = { total: Infinity, ofUser: Infinity },
  ) {
    this.upstreams = new RunningAttempts(time, true)
    this.memory = new ByteBudget(memory)
  }

  get count(): number {
    return this.#count
  }

  /** How many calls have begun since the start. */
  get entered(): number {
    return this.#entered
  }

  /** Registers a call. Returns a function that ends it; calling it again does nothing. */
  enter(): () => void {
    this.#count += 1
    this.#entered += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#leave()
    }
  }

  /** Resolves when nothing is in flight (true) or the time is over (false). */
  whenIdle(timeoutMs: number): Promise<boolean> {
    if (this.#count === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const cancel = this.time.timers.after(timeoutMs, () => resolve(false))
      this.#waiting.push(() => {
        cancel()
        resolve(true)
      })
    })
  }

  #leave(): void {
    this.#count -= 1
    if (this.#count > 0) return
    const resolvers = this.#waiting
    this.#waiting = []
    for (const resolve of resolvers) resolve()
  }
}
