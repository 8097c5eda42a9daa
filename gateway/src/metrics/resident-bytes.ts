let last = 0

/** Returns the resident memory of this process; the last that was read where it cannot be, for want of a file descriptor. */
export function residentBytes(): number {
  try {
    last = process.memoryUsage.rss()
  } catch {
    // The system tells it through a file.
  }
  return last
}
