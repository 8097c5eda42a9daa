import { minuteMs } from '@tollgate/contract'

import type { Catalog } from '../../channels/catalog/catalog'

/** How long a response in progress may continue after the session's time limit. */
const graceMs = 60_000

/** `expired`: a response in progress may be completed; `overdue`: it may not. */
export type LimitReached = 'idle' | 'expired' | 'overdue'

/** How long a session may last, and how long nothing may be sent in it. Times are monotonic milliseconds. */
export class SessionLimits {
  readonly #startedAt: number
  #touchedAt: number
  #idleMs = 0
  #totalMs = 0

  /** `maxMinutes`: it lasts no longer, whatever the site allows. */
  constructor(
    catalog: Pick<Catalog, 'options'>,
    now: number,
    private readonly maxMinutes = Infinity,
  ) {
    this.#startedAt = now
    this.#touchedAt = now
    this.follow(catalog)
  }

  follow({ options }: Pick<Catalog, 'options'>): void {
    this.#idleMs = options.RealtimeIdleMinutes * minuteMs
    this.#totalMs = Math.min(options.RealtimeSessionMinutes, this.maxMinutes) * minuteMs
  }

  /** Called for each message in either direction. */
  touch(now: number): void {
    this.#touchedAt = now
  }

  check(now: number): LimitReached | null {
    const age = now - this.#startedAt
    if (age >= this.#totalMs + graceMs) return 'overdue'
    if (now - this.#touchedAt >= this.#idleMs) return 'idle'
    return age >= this.#totalMs ? 'expired' : null
  }

  /** Returns until when nothing may happen that did not happen since. */
  idleAfter(since: number): number {
    return since + this.#idleMs
  }

  /** Returns when a limit is reached next, if nothing is sent until then. */
  nextAt(isEnding: boolean): number {
    const endsAt = this.#startedAt + this.#totalMs + (isEnding ? graceMs : 0)
    return Math.min(endsAt, this.#touchedAt + this.#idleMs)
  }
}
