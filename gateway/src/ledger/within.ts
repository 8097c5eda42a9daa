import type { Timers } from './timers'

/** The promise's answer, or `otherwise` when it takes longer. */
export async function within<T>(timers: Timers, ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>()
  const cancel = timers.after(ms, () => resolve(otherwise))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}
