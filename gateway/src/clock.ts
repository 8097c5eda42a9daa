export interface Clock {
  /** Milliseconds since 1970, for rows and dates. */
  now(): number
  /** Milliseconds that never jump, for time-outs and durations. */
  monotonic(): number
}
