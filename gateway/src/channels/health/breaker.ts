import type { Clock } from '../../platform/time/clock'

/** `ready`: the pause is over, and one call may probe whether it works again. */
type BreakerState = 'closed' | 'ready' | 'open'

/** What a failure says about whatever failed. */
export interface Weight {
  /** How many ordinary failures it counts for; Infinity opens the breaker at once. */
  readonly weight: number
  /** How long the caller waited for it. */
  readonly tookMs: number
}

/** Consecutive failures that open it. */
const failuresInARow = 5
/** Alternatively more than half of the calls in a window, when there were enough of them. */
const windowMs = 30_000
const minCalls = 20
const highestRatio = 0.5
const firstPauseMs = 2_000
const maxPauseMs = 60_000
/** A probe costs its caller the time it takes: at most a tenth of all time is spent on probes. */
const pauseByProbe = 10
const maxSlowPauseMs = 600_000

/**
 * Keeps calls away from what fails, and lets a single probe through now and then to see whether it works again. Reports its state changes,
 * so that other workers can follow.
 */
export class Breaker {
  /** Weight of the failures since the last success. */
  #inARow = 0
  #windowStart: number
  #calls = 0
  #failures = 0
  #pauseMs = firstPauseMs
  #openUntil: number | null = null
  #isProbed = false

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.#windowStart = clock.monotonic()
  }

  get state(): BreakerState {
    if (this.#openUntil === null) return 'closed'
    return this.#isProbed || this.clock.monotonic() < this.#openUntil ? 'open' : 'ready'
  }

  /** How long it stays open; 0 when it is closed or ready for a probe. */
  get msLeft(): number {
    return this.#openUntil === null ? 0 : Math.max(0, this.#openUntil - this.clock.monotonic())
  }

  /** The latest outcome was a failure. */
  get isSuspect(): boolean {
    return this.#inARow > 0
  }

  /** Reserves the single probe. */
  probe(): void {
    this.#isProbed = true
  }

  /** Called when the probe ended without a result, as its caller left. */
  forgetProbe(): void {
    this.#isProbed = false
  }

  /** Records a success. Returns whether this closed the breaker. */
  recordSuccess(): boolean {
    this.#inARow = 0
    this.#count(false)
    return this.close()
  }

  /**
   * Records a failure. Returns for how many milliseconds this opened the breaker, or null. While it is open only the failure of the probe
   * counts: calls that were sent before still report.
   */
  recordFailure({ weight, tookMs }: Weight, isProbe: boolean): number | null {
    this.#inARow += weight
    this.#count(true)
    if (this.#openUntil !== null) return isProbe ? this.#open(tookMs) : null
    if (this.#inARow >= failuresInARow || this.#isMostlyFailing()) return this.#open(0)
    return null
  }

  /** Called when another worker saw it fail. */
  openFor(pauseMs: number): void {
    this.#openUntil = Math.max(this.#openUntil ?? 0, this.clock.monotonic() + pauseMs)
    this.#pauseMs = Math.min(Math.max(this.#pauseMs, pauseMs * 2), maxPauseMs)
    this.#isProbed = false
  }

  /** Closes the breaker. Returns whether it was open. */
  close(): boolean {
    if (this.#openUntil === null) return false
    this.#openUntil = null
    this.#isProbed = false
    this.#pauseMs = firstPauseMs
    this.#inARow = this.#calls = this.#failures = 0
    return true
  }

  #open(probeMs: number): number {
    const slowMs = Math.min(probeMs * pauseByProbe, maxSlowPauseMs)
    const pauseMs = Math.max(this.#pauseMs, slowMs)
    this.#openUntil = this.clock.monotonic() + pauseMs
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs)
    this.#isProbed = false
    return pauseMs
  }

  #isMostlyFailing(): boolean {
    return this.#calls >= minCalls && this.#failures / this.#calls > highestRatio
  }

  #count(isFailure: boolean): void {
    const now = this.clock.monotonic()
    if (now - this.#windowStart > windowMs) {
      this.#windowStart = now
      this.#calls = this.#failures = 0
    }
    this.#calls += 1
    if (isFailure) this.#failures += 1
  }
}

/** The capacity; beyond it the breaker that failed first is dropped. */
const maxBreakers = 10_000

/** Breakers by name. What never failed, or works again, has none and costs a look-up in an empty map. */
export class Breakers {
  readonly #all = new Map<string | number, Breaker>()

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Nothing failed lately. */
  get isClear(): boolean {
    return this.#all.size === 0
  }

  stateOf(name: string | number): BreakerState {
    return this.#all.get(name)?.state ?? 'closed'
  }

  isSuspect(name: string | number): boolean {
    return this.#all.get(name)?.isSuspect ?? false
  }

  /** Yields the breakers that are not closed or whose latest outcome was a failure. */
  *notable(): Generator<readonly [name: string | number, breaker: Breaker]> {
    for (const [name, breaker] of this.#all) if (breaker.state !== 'closed' || breaker.isSuspect) yield [name, breaker]
  }

  find(name: string | number): Breaker | undefined {
    return this.#all.get(name)
  }

  /** Returns the breaker of this name; creates it if necessary. */
  of(name: string | number): Breaker {
    const known = this.#all.get(name)
    if (known) return known
    const breaker = new Breaker(this.clock)
    if (this.#all.size >= maxBreakers)
      for (const oldest of this.#all.keys()) {
        this.#all.delete(oldest)
        break
      }
    this.#all.set(name, breaker)
    return breaker
  }

  forget(name: string | number): void {
    this.#all.delete(name)
  }
}
