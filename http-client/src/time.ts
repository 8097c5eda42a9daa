/** What the client needs of a clock and of timers; those of a process or of a test fit. */
export interface Time {
  readonly clock: {
    /** Monotonic milliseconds. */
    monotonic(): number
  }
  readonly timers: Timers
}

export interface Timers {
  /** Runs it when the present turn of the event loop is over. */
  soon(work: () => void): void
  /** Runs it after some milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
  /** Runs it after each interval. Returns a function that ends it. */
  every(ms: number, work: () => void): () => void
}
