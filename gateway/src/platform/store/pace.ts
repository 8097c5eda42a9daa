import type { Clock } from '../time/clock'
import type { DatabaseKind } from './database'
import { waitUnless, type Timers } from '../time/timers'

/** How background work gives way to calls: a part at a time, then a rest. */
export interface Pace {
  /** Rows for the next part. */
  readonly rows: number
  /** Does a part, then rests. */
  part<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface PaceOptions {
  readonly kind: DatabaseKind
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
  /** Returns a counter that grows with the calls of this process. */
  readonly calls: () => number
  /** That of the database, where it has one. */
  readonly keepUp?: (() => Promise<void>) | undefined
  /** Ends a rest. */
  readonly signal?: AbortSignal
}

interface PaceLimits {
  /** Milliseconds that a part should take. */
  readonly partMs: number
  readonly fewestRows: number
  readonly maxRows: number
  /** The ratio of rest to work where there are calls; without calls it is 1. */
  readonly restsAmongCalls: number
}

/**
 * A local database works in the process that handles calls, and calls wait meanwhile: so little that p99 does not show it. A server has
 * processes of its own, but they may share its cores and disk with those that calls wait for.
 */
const manners: Readonly<Record<DatabaseKind, PaceLimits>> = {
  sqlite: { partMs: 3, fewestRows: 25, maxRows: 1000, restsAmongCalls: 300 },
  postgres: { partMs: 25, fewestRows: 200, maxRows: 2000, restsAmongCalls: 100 },
}

/** One slow part does not stop the work for long. */
const maxRestMs = 10_000

export class YieldingPace implements Pace {
  readonly #options: PaceOptions
  #rows: number
  #callsBefore: number

  constructor(options: PaceOptions) {
    this.#options = options
    this.#rows = manners[options.kind].fewestRows
    this.#callsBefore = options.calls()
  }

  get rows(): number {
    return this.#rows
  }

  async part<Result>(work: () => Promise<Result>): Promise<Result> {
    const { clock, timers, signal, keepUp } = this.#options
    await keepUp?.()
    const began = clock.monotonic()
    const result = await work()
    const took = clock.monotonic() - began
    this.#adapt(took)
    const restMs = this.#restAfter(took)
    await (signal ? waitUnless(timers, restMs, signal) : timers.wait(restMs))
    return result
  }

  #adapt(took: number): void {
    const { partMs, fewestRows, maxRows } = manners[this.#options.kind]
    if (took < partMs / 2) this.#rows = Math.min(this.#rows * 2, maxRows)
    else if (took > partMs) this.#rows = Math.max(this.#rows >> 1, fewestRows)
  }

  #restAfter(took: number): number {
    const { kind, calls } = this.#options
    const isAmongCalls = calls() !== this.#callsBefore
    this.#callsBefore = calls()
    return Math.min(took * (isAmongCalls ? manners[kind].restsAmongCalls : 1), maxRestMs)
  }
}
