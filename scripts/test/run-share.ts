import { join } from 'node:path'

import type { Share } from './queue'
import { OutputReader, type Suite } from './read-output'

export interface RunOptions {
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Options of the runner. */
  readonly args: readonly string[]
  readonly signal: AbortSignal
  readonly onSuite: (suite: Suite) => void
  /** Called with what tests print on the standard output. */
  readonly onOutput?: (text: string) => void
}

export interface RunResult {
  /** Files that the process did not get to before it crashed. */
  readonly left: readonly string[]
  /** Includes all that the process started and waited for. */
  readonly cpuSeconds: number
}

/** Longer than any test takes on a busy machine. */
const testTimeoutMs = 120_000

/** With one of these set, the runner leaves out the tests that passed, or writes groups around files. */
const plainOutput = { AGENT: undefined, CLAUDECODE: undefined, REPL_ID: undefined, GITHUB_ACTIONS: undefined }

/**
 * The optimizing compiler for code that runs for long, as tests do not: without it console, relay and dialects take 15 % less processor time,
 * the simulation of the ledger 33 %. The runtime's timer collects garbage twice a second while a test waits, by all that the process has
 * loaded and kept since its first file: without it there is a third of the collections, which come when memory is needed.
 */
const engine = { BUN_JSC_useFTLJIT: '0', BUN_GC_TIMER_DISABLE: '1' }

/** Runs test files one after the other in a process of their own. */
export async function runShare({ kind, files }: Share, options: RunOptions): Promise<RunResult> {
  const { root, environment, args, signal, onSuite, onOutput } = options
  const folder = kind.cwd ?? ''
  const names = files.map((file) => file.slice(folder === '' ? 0 : folder.length + 1))
  const command = [process.execPath, 'test', '--timeout', String(testTimeoutMs), ...args]
  const run = Bun.spawn([...command, ...names.map((name) => `./${name}`)], {
    cwd: join(root, folder),
    env: { ...engine, ...environment, ...plainOutput, ...kind.env },
    stdin: 'ignore',
    stdout: onOutput ? 'pipe' : 'ignore',
    stderr: 'pipe',
    signal,
  })
  const reader = new OutputReader({
    files: names,
    now: () => performance.now(),
    onSuite: (suite) => onSuite({ ...suite, file: join(folder, suite.file) }),
  })
  const printed = onOutput && run.stdout ? pass(run.stdout, onOutput) : undefined
  for await (const chunk of run.stderr) reader.read(chunk)
  const exitCode = await run.exited
  // What an interruption ended has not failed.
  const left = signal.aborted ? [] : reader.end(exitCode)
  await printed
  const cpuSeconds = Number(run.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  return { left: left.map((name) => join(folder, name)), cpuSeconds }
}

/** Without the first line, by which the runner introduces itself. */
async function pass(stream: ReadableStream<Uint8Array>, onOutput: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let head: string | undefined = ''
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true })
    if (head === undefined) {
      onOutput(text)
      continue
    }
    head += text
    const end = head.indexOf('\n')
    if (end < 0) continue
    if (end + 1 < head.length) onOutput(head.slice(end + 1))
    head = undefined
  }
}
