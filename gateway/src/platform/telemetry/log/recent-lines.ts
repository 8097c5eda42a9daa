const maxLines = 200
const maxLineLength = 1000

/** The last lines of a worker's log, for a support bundle. Bounded: at most some hundred kilobytes. */
export interface RecentLines {
  add(line: string): void
  /** Oldest first. */
  read(): readonly string[]
}

export function createRecentLines(): RecentLines {
  const lines: string[] = []
  return {
    add(line) {
      const text = line.trimEnd()
      lines.push(text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text)
      if (lines.length > maxLines) lines.shift()
    },
    read: () => [...lines],
  }
}
