import type { Time } from '../../timers'

/** Why an attempt was stopped: a time limit, the client left, its access was revoked, or the gateway stops. */
export type StopReason = 'first-byte' | 'idle' | 'total' | 'client' | 'revoked' | 'shutdown'

/** The user and token that a call belongs to. */
export interface CallOwner {
  readonly userId: number
  /** 0 in the playground. */
  readonly tokenId: number
}

/** The caller who waits for the result of an attempt. */
export interface AttemptCaller extends CallOwner {
  /** Called when its key or account may no longer call. */
  sendAway(): void
}

/** An upstream call in flight. */
export interface RunningAttempt {
  /** Its index in `RunningAttempts`, which keeps it; null before and after. */
  place: number | null
  /** Monotonic milliseconds at which its limits must be checked. */
  readonly dueAt: number
  /** Null for a call of the gateway's own. */
  readonly caller: AttemptCaller | null
  /** Called when that time has come: it stops, or is due later. */
  check(now: number): void
  stop(reason: StopReason): void
}

/**
 * The upstream calls in flight, with one timer for the limits of all: nearly all end long before, so that a timer each would cost more
 * than it guards. They are in an array because a Set, as its members come and go, leaves its old tables behind, each of which references
 * the next: minor collections would free nothing that was ever in one.
 */
export class RunningAttempts {
  readonly #all: RunningAttempt[] = []
  #cancelWake = () => {}
  #wakesAt = Infinity

  constructor(
    private readonly time: Time,
    /** The timer outlasts the last attempt: another is likely to follow. */
    private readonly keepsTimer = false,
  ) {}

  add(attempt: RunningAttempt): void {
    attempt.place = this.#all.push(attempt) - 1
    this.#wakeAt(attempt.dueAt)
  }

  /** Removes an attempt that is over; removing it again does nothing. */
  remove(attempt: RunningAttempt): void {
    if (attempt.place === null) return
    const last = this.#all.pop()
    if (last && last !== attempt) {
      this.#all[attempt.place] = last
      last.place = attempt.place
    }
    attempt.place = null
    if (this.#all.length > 0 || this.keepsTimer) return
    this.#cancelWake()
    this.#wakesAt = Infinity
  }

  get count(): number {
    return this.#all.length
  }

  /** Returns the callers of the calls in flight. */
  callers(): readonly AttemptCaller[] {
    return this.#all.flatMap(({ caller }) => (caller === null ? [] : [caller]))
  }

  stopAll(reason: StopReason): void {
    for (const attempt of this.#all.slice()) attempt.stop(reason)
  }

  #wakeAt(dueAt: number) {
    if (dueAt >= this.#wakesAt) return
    this.#cancelWake()
    this.#wakesAt = dueAt
    const { clock, timers } = this.time
    this.#cancelWake = timers.after(Math.max(1, Math.ceil(dueAt - clock.monotonic())), () => this.#wake())
  }

  #wake() {
    this.#wakesAt = Infinity
    const now = this.time.clock.monotonic()
    const due = this.#all.filter(({ dueAt }) => dueAt <= now)
    // One that ends as a consequence of another is not checked any more.
    for (const attempt of due) if (attempt.place !== null) attempt.check(now)
    const first = this.#all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity)
    if (first < Infinity) this.#wakeAt(first)
  }
}
