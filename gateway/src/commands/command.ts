/** What an operator's command is given. */
export interface CommandWorld {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
}

/** One word after the program's name. */
export interface Command {
  readonly name: string
  /** What follows the name. */
  readonly parameters: string
  readonly summary: string
  /** For its own `--help`, a line each. */
  readonly details: readonly string[]
  /** Answers the exit code. */
  run(parameters: readonly string[], world: CommandWorld): Promise<number>
}

/** Why a command could not do its work, in words for the operator. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command was called with what it does not take. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
