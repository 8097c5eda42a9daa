import { prettyLine, shownFields } from './log-line'
import { redact } from './redact'
import { standardOutput, type LineOutput } from './standard-output'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type LogWriterLevel = 'info' | 'warn' | 'error' | 'fatal'

/** Writes one line of the gateway's log. */
export type LogWriter = (level: LogWriterLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void

export interface LogWriterOptions {
  /** As in `LOG_LEVEL`; anything that is not a level counts as `info`. */
  readonly logLevel: string | undefined
  /** Fields of every line. */
  readonly base?: Readonly<Record<string, unknown>>
  readonly output?: LineOutput
}

/**
 * Creates a writer of log lines for code that runs without the logger: the supervisor, which must stay small, and a start
 * that fails before there is a logger. The lines look like the logger's: JSON, or readable text on a terminal.
 */
export function createLogWriter({ logLevel, base = {}, output = standardOutput }: LogWriterOptions): LogWriter {
  const known = levels.findIndex((level) => level === logLevel)
  const lowest = known < 0 ? levels.indexOf('info') : known
  return (level, message, fields = {}) => {
    if (levels.indexOf(level) < lowest) return
    const line = redact(
      JSON.stringify({ level, time: new Date().toISOString(), ...base, ...shownFields(fields), msg: message }),
    )
    const stream = level === 'fatal' ? output.stderr : output.stdout
    stream.write(stream.isTTY ? prettyLine(line) : `${line}\n`)
  }
}
