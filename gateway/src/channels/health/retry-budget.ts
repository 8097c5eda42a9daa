import type { Clock } from '../../clock'

/** A bucket of second attempts: each call puts a part of one in, each second attempt takes one out. */
export interface RetryBudget {
  /** A call began. */
  called(): void
  /** Take one second attempt. False: there is none left, the failure goes to the caller. */
  take(): boolean
}

/** Second attempts a call earns: at most a fifth more upstream calls than calls, beyond the reserve. */
const earnedByCall = 0.2
const mostSaved = 100
/** What an idle gateway may always spend, and how fast that comes back. */
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
