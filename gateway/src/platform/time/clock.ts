export interface Clock {
  /** Milliseconds since 1970, for rows and dates. */
  now(): number
  /** Monotonic milliseconds, for timeouts and durations. */
  monotonic(): number
}
