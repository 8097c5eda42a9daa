export interface ProgramRun {
  readonly exitCode: number
  /** What it wrote, also as errors. */
  readonly output: string
}

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** When it is killed. */
  readonly timeoutMs: number
}

/** Runs a program to its end. A program that is not on this machine exits with 127. */
export async function run(command: readonly string[], { env, cwd, timeoutMs }: ProgramOptions): Promise<ProgramRun> {
  if (!Bun.which(command[0] ?? '')) return { exitCode: 127, output: `${command[0]} is not installed` }
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, output: `${out}\n${errors}` }
}
