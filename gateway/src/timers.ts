/** How code waits. Replaceable, so that a simulation decides what comes when. */
export interface Timers {
  /** Resolves after some milliseconds. */
  wait(ms: number): Promise<void>
  /** Runs it when the present turn of the event loop is over. */
  soon(work: () => void): void
  /** Runs it after some milliseconds. Returns a function that cancels it. */
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

/** Resolves as the promise does, or with `otherwise` when it takes longer. */
export async function within<T>(timers: Timers, ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>()
  const cancel = timers.after(ms, () => resolve(otherwise))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}
