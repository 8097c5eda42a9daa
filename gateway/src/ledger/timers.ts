/** Time as the ledger waits for it. Replaceable, so that a simulation decides what comes when. */
export interface Timers {
  /** Resolves after some milliseconds. */
  wait(ms: number): Promise<void>
  /** Run it when the present turn is over. */
  soon(work: () => void): void
  /** Run it after some milliseconds. Answers how to cancel it. */
  after(ms: number, work: () => void): () => void
}

export const systemTimers: Timers = {
  wait: (ms) => Bun.sleep(ms),
  soon: (work) => void setImmediate(work),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}
