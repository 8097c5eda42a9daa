import { prettyLine } from './pretty-line'
import { redacted } from './redact'
import { shownFields } from './shown'
import { standardOutput, type LineOutput } from './standard-output'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type SayLevel = 'info' | 'warn' | 'error' | 'fatal'

/** Writes one line of the gateway's log. */
export type Say = (level: SayLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void

export interface SayOptions {
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
export function createSay({ logLevel, base = {}, output = standardOutput }: SayOptions): Say {
  const known = levels.findIndex((level) => level === logLevel)
  const lowest = known < 0 ? levels.indexOf('info') : known
  return (level, message, fields = {}) => {
    if (levels.indexOf(level) < lowest) return
    const line = redacted(
      JSON.stringify({ level, time: new Date().toISOString(), ...base, ...shownFields(fields), msg: message }),
    )
    const stream = level === 'fatal' ? output.stderr : output.stdout
    stream.write(stream.isTTY ? prettyLine(line) : `${line}\n`)
  }
}
