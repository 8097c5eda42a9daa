import type { Time } from '../../platform/time/timers'
import { RunningAttempts, type CallOwner } from '../../channels/calls/running-attempts'
import type { MemoryLimits } from '../../platform/config/config'
import { ByteBudget } from '../../http/limits/byte-budget'
import { BackgroundCalls } from '../background/background-calls'
import type { Catalog } from '../../channels/catalog/catalog'

/** Counts the calls in flight, so that a stopping worker knows when it may exit. */
export interface InFlight {
  readonly count: number
  /** How many calls have begun since the start. */
  readonly entered: number
  /** Registers a call. Returns a function that ends it; calling it again does nothing. */
  enter(): () => void
  /** Resolves when nothing is in flight (true) or the time is over (false). */
  whenIdle(timeoutMs: number): Promise<boolean>
  readonly upstreams: RunningAttempts
  readonly sessions: LiveSessions
  /** They are counted as calls in flight too. */
  readonly background: BackgroundCalls
  /** What they hold in memory. */
  readonly memory: ByteBudget
}

/** `memory`: what they may hold; default: anything. */
export function createInFlight(time: Time, memory: MemoryLimits = { total: Infinity, ofUser: Infinity }): InFlight {
  let count = 0
  let entered = 0
  let waiting: (() => void)[] = []

  function leave() {
    count -= 1
    if (count > 0) return
    const resolvers = waiting
    waiting = []
    for (const resolve of resolvers) resolve()
  }

  return {
    upstreams: new RunningAttempts(time, true),
    sessions: new LiveSessions(),
    background: new BackgroundCalls(),
    memory: new ByteBudget(memory),
    get count() {
      return count
    },
    get entered() {
      return entered
    },
    enter() {
      count += 1
      entered += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        leave()
      }
    },
    whenIdle(timeoutMs) {
      if (count === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const cancel = time.timers.after(timeoutMs, () => resolve(false))
        waiting.push(() => {
          cancel()
          resolve(true)
        })
      })
    },
  }
}

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
