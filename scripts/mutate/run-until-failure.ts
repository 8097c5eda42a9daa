import { join } from 'node:path'

import { kindOf } from '../test/kinds'

export interface TestRunOptions {
  readonly root: string
  readonly files: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** How a run of tests ended. One that was interrupted counts as passed. */
export type Ending =
  | { readonly is: 'passed' }
  | { readonly is: 'failed'; readonly by: string }
  | { readonly is: 'hanging' }

/** A test that hangs fails by then: none takes as long without a fault. */
const testTimeoutMs = 30_000

/** Runs test files of one kind in their order, until the first test that fails, or the time is over. */
export async function runUntilFailure({
  root,
  files,
  environment,
  timeoutMs,
  signal,
}: TestRunOptions): Promise<Ending> {
  const [first = ''] = files
  const { cwd = '', env } = kindOf(first)
  const names = files.map((file) => `./${cwd === '' ? file : file.slice(cwd.length + 1)}`)
  const run = Bun.spawn(
    [process.execPath, 'test', '--bail', '--only-failures', '--timeout', String(testTimeoutMs), ...names],
    {
      cwd: join(root, cwd),
      env: { ...environment, ...env },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      // A process group of its own: what a test has started ends with it.
      detached: true,
    },
  )
  let isHanging = false
  const kill = () => killGroup(run.pid)
  const timer = setTimeout(() => {
    isHanging = true
    kill()
  }, timeoutMs)
  signal.addEventListener('abort', kill)
  try {
    const [output, code] = await Promise.all([new Response(run.stderr).text(), run.exited])
    if (isHanging) return { is: 'hanging' }
    if (code === 0 || signal.aborted) return { is: 'passed' }
    const by = firstFailure(output)
    // Otherwise every fault would seem to be caught.
    if (by === undefined) throw new Error(`The runner failed, not a test:\n${output}`)
    return { is: 'failed', by }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** Returns the title of the first test that failed, or the error of a file that did not get to its tests. */
function firstFailure(output: string): string | undefined {
  const [, title] = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(output) ?? []
  if (title !== undefined) return title
  return /^# Unhandled error between tests\n-+\n([^]*?)\n-+$/m.exec(output)?.[1]?.trim().split('\n').at(-1)
}
