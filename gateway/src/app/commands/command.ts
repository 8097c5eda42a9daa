/** What an operator's command receives. */
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
  /** For its own `--help`, one line each. */
  readonly details: readonly string[]
  /** Resolves with the exit code. */
  run(parameters: readonly string[], world: CommandWorld): Promise<number>
}

/** Why a command could not do its work, in a sentence for the operator. Exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command was called with arguments it does not take. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
