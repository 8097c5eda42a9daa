/** What an operator's command printed, and how it ended. */
interface CommandResult {
  /** 0: done. */
  readonly code: number
  readonly output: string
}

/**
 * Runs an operator's command as a process of its own. It may read files for seconds without blocking calls, what it loads does not stay,
 * and it opens no file whose locks the worker holds: the system releases those when any of a process's descriptors of the file is closed.
 */
export type RunCommand = (words: readonly string[]) => Promise<CommandResult>

/** Returns a function that runs commands with this environment. */
export const commandRunner =
  (command: readonly string[], environment: Readonly<Record<string, string | undefined>>): RunCommand =>
  async (words) => {
    const child = Bun.spawn([...command, ...words], {
      env: environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [output, failure, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, output: (output || failure).trim() }
  }
