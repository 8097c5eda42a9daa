import { AppError } from '../../../platform/app-error'
import type { Database } from '../../../platform/store/database'
import type { Clock } from '../../../platform/time/clock'
import type { Lease } from '../lease/lease'
import type { LeaseKeeper } from '../lease/lease-keeper'
import type { RefusalOf } from '../lease/waiting-calls'
import type { LimitWindow } from './limit-window'
import type { WindowRest } from '../ledger'
import { leasedWindow, LeasedWindows, type LeasedWindow } from './leased-windows'
import { openPeriod, type Period } from './period-store'
import { refusalOfWindow } from './window-refusal'

export interface WindowLeasesOptions {
  readonly database: Database
  readonly leases: LeaseKeeper
  readonly clock: Clock
}

/** Windows whose present period a worker remembers. */
const maxKnown = 50_000
/** A window that is gone or not in force is asked about again after this. */
const absentSeconds = 5

/** What is known of a window: its period, or that there is none. */
interface Known {
  readonly period: Period | null
  /** Unix seconds. */
  readonly until: number
  /** What work that is held in the database left of it. */
  readonly free?: number
}

interface Found {
  readonly leased: LeasedWindows
  /** Unix seconds. */
  readonly until: number
}

/** The period that a call draws from, and what it is told where too little is left. */
interface FoundWindow {
  readonly periodId: number
  readonly refusalOf: RefusalOf
}

/** The leases of the present periods of windows. What a call took stays its own when the period ends meanwhile. */
export class WindowLeases {
  /** By account, until it is full: a look is cheaper than in a cache that notes each. */
  readonly #known = new Map<string, Known>()
  readonly #opening = new Map<string, Promise<Period | null>>()
  /** Those of callers, whose limits are the same object from call to call. */
  readonly #found = new WeakMap<readonly LimitWindow[], Found>()

  constructor(readonly options: WindowLeasesOptions) {}

  /** Returns the leases of the present periods of a caller's windows; null when only the database knows one of them. */
  allInMemory(windows: readonly LimitWindow[], now: number): LeasedWindows | null {
    const found = this.#found.get(windows)
    if (found && now < found.until) return found.leased
    const leased: LeasedWindow[] = []
    let until = Infinity
    for (const window of windows) {
      const known = this.#known.get(window.account)
      if (!known || now >= known.until) return null
      until = Math.min(until, known.until)
      if (known.period) leased.push(leasedWindow(this.options.leases.window(known.period.id), window.measure, false))
    }
    const all = new LeasedWindows(leased)
    this.#found.set(windows, { leased: all, until })
    return all
  }

  /** Finds them anew for the next call: one may have ended, and another have taken its place. */
  forget(windows: readonly LimitWindow[]): void {
    this.#found.delete(windows)
  }

  /** Returns the lease of the present period; null where none limits a call now, undefined when only the database knows. */
  inMemory(window: LimitWindow, now: number): Lease | null | undefined {
    const known = this.#known.get(window.account)
    if (!known || now >= known.until) return undefined
    return known.period && this.options.leases.window(known.period.id)
  }

  /** Returns what this worker knows to be left of the present period, beside what its calls in flight hold; null where it knows of none. */
  readRest(window: LimitWindow, now: number): WindowRest | null {
    const { period, free = null } = this.#known.get(window.account) ?? {}
    if (!period || now >= period.endsAt) return null
    const remaining = this.options.leases.window(period.id).remaining ?? free
    return remaining === null ? null : { remaining, endsAt: period.endsAt }
  }

  /** Work that is held in the database has taken its part of a period, and has left so much free. */
  recordFree(window: LimitWindow, period: Period, free: number): void {
    this.#known.set(window.account, { period, until: period.endsAt, free })
    this.options.leases.window(period.id).recordFree(free)
  }

  /** Resolves with the present period of a window, from the database where necessary; null where none limits a call now. @throws AppError `ledger.unavailable`. */
  async find(window: LimitWindow): Promise<FoundWindow | null> {
    const { clock } = this.options
    const now = clock.seconds()
    const known = this.#known.get(window.account)
    let period = known && now < known.until ? known.period : await this.#open(window, now)
    // The look that it shared may have begun before the last period ended.
    while (period && period.endsAt <= now) period = await this.#open(window, now)
    return period && { periodId: period.id, refusalOf: refusalOfWindow(window, period, clock) }
  }

  /** Calls that begin together share one look. */
  #open(window: LimitWindow, now: number): Promise<Period | null> {
    const { account } = window
    const running = this.#opening.get(account)
    if (running) return running
    const opening = openPeriod(this.options.database, window, now)
      .then((period) => {
        if (this.#known.size >= maxKnown) this.#known.clear()
        this.#known.set(account, { period, until: period?.endsAt ?? now + absentSeconds })
        return period
      })
      .catch((cause: unknown) => {
        throw new AppError('ledger.unavailable', { cause })
      })
      .finally(() => this.#opening.delete(account))
    this.#opening.set(account, opening)
    return opening
  }
}
