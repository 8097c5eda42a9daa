import type { Clock } from '../../platform/time/clock'

/** Retries a call earns: at most a fifth more upstream calls than calls, beyond the reserve. */
const earnedByCall = 0.2
const maxSaved = 100
/** What an idle gateway may always spend, and how fast it refills. */
const reserve = 10
const reserveBySecond = 1

/** A token bucket of retries: each call adds a fraction of one, each retry takes one. */
export class RetryBudget {
  readonly #clock: Clock
  #saved = reserve
  #refilledAt: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#refilledAt = clock.monotonic()
  }

  /** Called when a call begins. */
  recordCall(): void {
    this.#saved = Math.min(maxSaved, this.#saved + earnedByCall)
  }

  /** Takes one retry. Returns false when there is none left: the failure goes to the caller. */
  take(): boolean {
    this.#refill()
    if (this.#saved < 1) return false
    this.#saved -= 1
    return true
  }

  #refill(): void {
    const now = this.#clock.monotonic()
    if (this.#saved < reserve)
      this.#saved = Math.min(reserve, this.#saved + ((now - this.#refilledAt) / 1000) * reserveBySecond)
    this.#refilledAt = now
  }
}
