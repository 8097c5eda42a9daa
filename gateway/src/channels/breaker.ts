import type { Clock } from '../context'

/** Keeps calls away from a channel that fails, and tries it again now and then. */
export interface Breaker {
  /** Whether a call may go through now. While half open only one does, until it ends or its time is over. */
  isAvailable(): boolean
  /** Whether it keeps calls away or lets only probes through. Asking changes nothing. */
  isOpen(): boolean
  succeeded(): void
  failed(): void
}

/** So many failures in a row open the breaker. */
const failuresInARow = 5
/** Or more than half of the calls of a window, when there were enough of them to tell. */
const windowMs = 30_000
const fewestCalls = 20
const highestRatio = 0.5
const firstPauseMs = 2_000
const longestPauseMs = 60_000
/** A probe that never reported back (its client left) does not keep the breaker half open for ever. */
const probeMs = 30_000

export function createBreaker(clock: Clock): Breaker {
  let inARow = 0
  let windowStart = clock.monotonic()
  let calls = 0
  let failures = 0
  let pauseMs = firstPauseMs
  let openUntil: number | null = null
  let probeUntil = 0

  function count(isFailure: boolean) {
    const now = clock.monotonic()
    if (now - windowStart > windowMs) {
      windowStart = now
      calls = failures = 0
    }
    calls += 1
    if (isFailure) failures += 1
  }

  function open() {
    openUntil = clock.monotonic() + pauseMs
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    probeUntil = 0
  }

  return {
    isAvailable() {
      if (openUntil === null) return true
      const now = clock.monotonic()
      if (now < openUntil || now < probeUntil) return false
      probeUntil = now + probeMs
      return true
    },
    isOpen: () => openUntil !== null,
    succeeded() {
      inARow = 0
      count(false)
      if (openUntil === null) return
      openUntil = null
      pauseMs = firstPauseMs
      calls = failures = 0
    },
    failed() {
      inARow += 1
      count(true)
      if (openUntil !== null) {
        // Calls sent before it opened still report; only the probe's failure lengthens the pause.
        if (clock.monotonic() >= openUntil) open()
        return
      }
      if (inARow >= failuresInARow || (calls >= fewestCalls && failures / calls > highestRatio)) open()
    },
  }
}
