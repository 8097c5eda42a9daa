import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'

import type { Config } from '../../config/config'
import { prettyLine, shownFields } from './log-line'
import { redact } from './redact'
import { standardOutput } from './standard-output'

/**
 * Creates the log of a worker: one JSON object per line, with the level as text and the time in ISO 8601; readable text on a terminal.
 * What concerns one call has its `requestId`, which its response has too. Secrets are masked by the names of their fields, and once more
 * in the finished line by their form.
 */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  workerId: string,
  to: DestinationStream = standardOutput.stdout.isTTY ? terminal : standardOutput.stdout,
  recent?: RecentLines,
): Logger {
  const options = {
    level: logLevel,
    base: { worker: workerId },
    errorKey: 'error',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { log: shownFields, level: (label: string) => ({ level: label }) },
    // An error is an object by then.
    serializers: { error: (shown: unknown) => shown, err: (shown: unknown) => shown },
    hooks: { streamWrite: redact },
  }
  return pino(options, recent ? recordLinesIn(recent, to) : to)
}

const terminal: DestinationStream = { write: (line) => standardOutput.stdout.write(prettyLine(line)) }

const recordLinesIn = (recent: RecentLines, to: DestinationStream): DestinationStream => ({
  write(line) {
    recent.add(line)
    to.write(line)
  },
})

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
