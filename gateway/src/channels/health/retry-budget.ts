import type { Clock } from '../../platform/time/clock'

/** A token bucket of retries: each call adds a fraction of one, each retry takes one. */
export interface RetryBudget {
  /** Called when a call begins. */
  called(): void
  /** Takes one retry. Returns false when there is none left: the failure goes to the caller. */
  take(): boolean
}

/** Retries a call earns: at most a fifth more upstream calls than calls, beyond the reserve. */
const earnedByCall = 0.2
const mostSaved = 100
/** What an idle gateway may always spend, and how fast it refills. */
const reserve = 10
const reserveBySecond = 1

export function createRetryBudget(clock: Clock): RetryBudget {
  let saved = reserve
  let refilledAt = clock.monotonic()

  function refill() {
    const now = clock.monotonic()
    if (saved < reserve) saved = Math.min(reserve, saved + ((now - refilledAt) / 1000) * reserveBySecond)
    refilledAt = now
  }

  return {
    called() {
      saved = Math.min(mostSaved, saved + earnedByCall)
    },
    take() {
      refill()
      if (saved < 1) return false
      saved -= 1
      return true
    },
  }
}
