/** Why an attempt was stopped: a time limit, or its client left, or it may call no longer, or the gateway stops. */
export type StopReason = 'first-byte' | 'idle' | 'total' | 'client' | 'revoked' | 'shutdown'

/** Who a call is made for. */
export interface CallOwner {
  readonly userId: number
  /** 0 in the playground. */
  readonly tokenId: number
}

/** An upstream call that is under way. */
export interface RunningAttempt {
  /** Among the others, kept by `RunningAttempts`; none before and after. */
  place: number | null
  /** When its limits must be looked at, in milliseconds of the clock that never jumps. */
  readonly dueAt: number
  /** Null for a call of the gateway's own. */
  readonly owner: CallOwner | null
  /** That time has come: it stops, or is due later. */
  check(now: number): void
  stop(reason: StopReason): void
}

/**
 * The upstream calls that are under way, and one timer for the limits of all: nearly all end long before, so that a timer for
 * each would cost more than it guards. They stand in a list because a Set, as its members come and go, leaves its old tables
 * behind, each of which holds the next: short collections would free nothing that was ever in one.
 */
export class RunningAttempts {
  readonly #all: RunningAttempt[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #wakesAt = Infinity

  constructor(private readonly clock: { monotonic(): number }) {}

  add(attempt: RunningAttempt): void {
    attempt.place = this.#all.push(attempt) - 1
    this.#wakeAt(attempt.dueAt)
  }

  /** It is over; a second time does nothing. */
  remove(attempt: RunningAttempt): void {
    if (attempt.place === null) return
    const last = this.#all.pop()
    if (last && last !== attempt) {
      this.#all[attempt.place] = last
      last.place = attempt.place
    }
    attempt.place = null
  }

  /** Those for whom calls are under way. */
  owners(): readonly CallOwner[] {
    return this.#all.flatMap(({ owner }) => (owner === null ? [] : [owner]))
  }

  stopAll(reason: StopReason): void {
    for (const attempt of this.#all.slice()) attempt.stop(reason)
  }

  stopOf(isMeant: (owner: CallOwner) => boolean, reason: StopReason): void {
    for (const attempt of this.#all.slice()) if (attempt.owner !== null && isMeant(attempt.owner)) attempt.stop(reason)
  }

  #wakeAt(dueAt: number) {
    if (dueAt >= this.#wakesAt) return
    clearTimeout(this.#timer)
    this.#wakesAt = dueAt
    this.#timer = setTimeout(() => this.#wake(), Math.max(1, Math.ceil(dueAt - this.clock.monotonic())))
    // It may outlast the calls.
    this.#timer.unref()
  }

  #wake() {
    this.#wakesAt = Infinity
    const now = this.clock.monotonic()
    const due = this.#all.filter(({ dueAt }) => dueAt <= now)
    // One that is over by the end of another is not looked at any more.
    for (const attempt of due) if (attempt.place !== null) attempt.check(now)
    const first = this.#all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity)
    if (first < Infinity) this.#wakeAt(first)
  }
}
