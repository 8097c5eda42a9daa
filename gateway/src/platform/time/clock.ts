export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Whole seconds since 1970, as rows and the wire have times. */
  seconds(): number
  /** Monotonic milliseconds, for timeouts and durations. */
  monotonic(): number
}

/** Returns the clock that reads these milliseconds. */
export const createClock = (now: () => number, monotonic = now): Clock => ({
  now,
  seconds: () => Math.floor(now() / 1000),
  monotonic,
})

export const systemClock = createClock(
  () => Date.now(),
  () => performance.now(),
)
