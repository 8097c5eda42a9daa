/**
 * Returns a function that reads a number from the system, and returns the last one while it cannot be read: the system exposes these
 * as files, and file descriptors may have run out.
 */
export function lastKnown(read: () => number): () => number {
  let last = 0
  return () => {
    try {
      last = read()
    } catch {
      // Tried again at the next reading.
    }
    return last
  }
}
