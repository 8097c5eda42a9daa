import type { Clock } from '../../platform/time/clock'
import type { Time } from '../../platform/time/timers'
import { Cancellation } from '@tollgate/http-client'
import { RunningAttempts, type AttemptCaller, type RunningAttempt, type StopReason } from './running-attempts'

export interface ClockLimits {
  /** Milliseconds until the response must begin. Null: only the total limits it. */
  readonly firstByteMs: number | null
  /** Milliseconds between two reads. */
  readonly idleMs: number
  /** Milliseconds left for the whole call. */
  readonly totalMs: number
}

/** The time limits of one attempt: they stop the upstream call and remember the reason. */
export interface AttemptClocks {
  /** Cancels the upstream call. */
  readonly cancellation: Cancellation
  /** Why it was stopped, or null. */
  readonly reason: StopReason | null
  /** Milliseconds since something was read, or since the client read what was written. */
  readonly silentMs: number
  /** Called when the response begins: from now on the gaps between reads count. */
  began(): void
  /** Called for each read; cheap. */
  touch(): void
  /** Called while the client does not read what was written: the upstream is not to blame for the silence. */
  pause(): void
  stop(reason: StopReason): void
  /** Called when the attempt is over; no limit applies any more. */
  finish(): void
}

/** A timer this late means that the process was suspended: what arrived meanwhile has not been read yet. */
const stallMs = 200

/** Starts the limits of one attempt. It is registered in `running`, to be stopped from outside, until it is over. */
export const startClocks = (
  time: Time,
  limits: ClockLimits,
  running = new RunningAttempts(time),
  caller: AttemptCaller | null = null,
): AttemptClocks => new RunningClocks(time.clock, limits, running, caller)

/** A read only records its time: when the limits are due they check how long ago the last one was. */
class RunningClocks implements AttemptClocks, RunningAttempt {
  index: number | null = null
  dueAt: number
  reason: StopReason | null = null
  readonly cancellation = new Cancellation()
  readonly #startedAt: number
  #touchedAt: number
  #hasStarted = false
  #isPaused = false

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly limits: ClockLimits,
    private readonly running: RunningAttempts,
    readonly caller: AttemptCaller | null,
  ) {
    this.#startedAt = clock.monotonic()
    this.#touchedAt = this.#startedAt
    this.dueAt = this.#nextDueAt(this.#startedAt)
    running.add(this)
  }

  get silentMs(): number {
    return this.clock.monotonic() - this.#touchedAt
  }

  began(): void {
    this.#hasStarted = true
    this.#touchedAt = this.clock.monotonic()
  }

  touch(): void {
    this.#isPaused = false
    this.#touchedAt = this.clock.monotonic()
  }

  pause(): void {
    this.#isPaused = true
  }

  stop(reason: StopReason): void {
    if (this.reason) return
    this.reason = reason
    this.finish()
    this.cancellation.cancel()
  }

  finish(): void {
    this.running.remove(this)
  }

  check(now: number): void {
    if (now - this.#startedAt >= this.limits.totalMs) return this.stop('total')
    if (now - this.dueAt > stallMs) this.#touchedAt = now
    if (now - this.#touchedAt >= this.#gapMs()) return this.stop(this.#hasStarted ? 'idle' : 'first-byte')
    this.dueAt = this.#nextDueAt(now)
  }

  /** Returns the milliseconds that may pass without a read. */
  #gapMs(): number {
    if (!this.#hasStarted) return this.limits.firstByteMs ?? Infinity
    return this.#isPaused ? Infinity : this.limits.idleMs
  }

  #nextDueAt(now: number): number {
    const endsAt = this.#startedAt + this.limits.totalMs
    return Math.min(endsAt, this.#touchedAt + this.#gapMs(), now + this.limits.idleMs)
  }
}
