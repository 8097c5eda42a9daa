import type { Clock } from '../context'
import type { StopUpstream } from './in-flight'

type StopReason = 'first-byte' | 'idle' | 'total' | 'client' | 'shutdown'

export interface ClockLimits {
  /** Milliseconds until the answer must begin. Null: only the whole limits it. */
  readonly firstByteMs: number | null
  /** Milliseconds between two reads. */
  readonly idleMs: number
  /** Milliseconds left for the whole call. */
  readonly totalMs: number
}

/** The time limits of one attempt: they stop the upstream call and remember why. */
export interface AttemptClocks {
  readonly signal: AbortSignal
  /** Why it was stopped, or null. */
  readonly reason: StopReason | null
  /** The answer began: from now on the gaps between reads count. */
  began(): void
  /** Something was read. Cheap enough for each read. */
  touched(): void
  /** While the client does not take what it was given, the upstream is not to blame for silence. */
  paused(): void
  stop(reason: StopReason): void
  /** The attempt is over; no limit applies any more. */
  finish(): void
}

/** A timer that is so late tells that this process stood still: what came meanwhile is not read yet. */
const stallMs = 200

/**
 * Start the limits of one attempt. What stops it from outside is in `running` until it is over.
 */
export const startClocks = (
  clock: Pick<Clock, 'monotonic'>,
  limits: ClockLimits,
  running: Set<StopUpstream> = new Set(),
): AttemptClocks => new RunningClocks(clock, limits, running)

/** One timer at a time: it looks how long ago the last read was and sleeps again. */
class RunningClocks implements AttemptClocks {
  reason: StopReason | null = null
  readonly #controller = new AbortController()
  readonly #startedAt: number
  #touchedAt: number
  #hasBegun = false
  #isPaused = false
  #dueAt = Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly limits: ClockLimits,
    private readonly running: Set<StopUpstream>,
  ) {
    this.#startedAt = clock.monotonic()
    this.#touchedAt = this.#startedAt
    this.#schedule(this.#startedAt)
    running.add(this.stop)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  began(): void {
    this.#hasBegun = true
    this.#touchedAt = this.clock.monotonic()
  }

  touched(): void {
    this.#isPaused = false
    this.#touchedAt = this.clock.monotonic()
  }

  paused(): void {
    this.#isPaused = true
  }

  readonly stop = (reason: StopReason): void => {
    if (this.reason) return
    this.reason = reason
    this.finish()
    this.#controller.abort()
  }

  finish(): void {
    clearTimeout(this.#timer)
    this.running.delete(this.stop)
  }

  /** Milliseconds that may pass without a read. */
  #gapMs(): number {
    if (!this.#hasBegun) return this.limits.firstByteMs ?? Infinity
    return this.#isPaused ? Infinity : this.limits.idleMs
  }

  #check() {
    const now = this.clock.monotonic()
    if (now - this.#startedAt >= this.limits.totalMs) return this.stop('total')
    if (now - this.#dueAt > stallMs) this.#touchedAt = now
    if (now - this.#touchedAt >= this.#gapMs()) return this.stop(this.#hasBegun ? 'idle' : 'first-byte')
    this.#schedule(now)
  }

  #schedule(now: number) {
    const endsAt = this.#startedAt + this.limits.totalMs
    const wait = Math.min(endsAt, this.#touchedAt + this.#gapMs(), now + this.limits.idleMs) - now
    this.#dueAt = now + wait
    this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.ceil(wait)))
  }
}
