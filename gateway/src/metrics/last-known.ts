/**
 * Returns a function that reads a number from the system, and returns the last one while it cannot be read: the system tells these
 * through files, and there may be no file descriptor left.
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
