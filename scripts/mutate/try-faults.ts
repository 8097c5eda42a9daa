import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { applyEdit, type Fault } from './find-faults'
import { runUntilFailure, type Ending } from './run-until-failure'
import type { Stage } from './tests-of'
import { copyTree, type Workspace } from './workspace'

/** What the tests made of a fault. */
export interface Verdict {
  readonly fault: Fault
  readonly result: 'caught' | 'survived' | 'unreached'
  /** The first test that failed. */
  readonly by?: string
}

export interface Trial {
  /** Where the sources lie, which stay as they are. */
  readonly root: string
  readonly faults: readonly Fault[]
  /** The tests of each file. */
  readonly stages: ReadonlyMap<string, readonly Stage[]>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How many faults are tried side by side, each in a copy of its own. */
  readonly copies: number
  readonly signal: AbortSignal
  /** How long tests may take at least, however quick they are without a fault. */
  readonly minTimeoutMs: number
  readonly onVerdict: (verdict: Verdict) => void
}

/** Tries faults, each alone. @throws Error where tests fail without any. */
export async function tryFaults(trial: Trial): Promise<Verdict[]> {
  using stack = new DisposableStack()
  const copies: Workspace[] = []
  for (let count = 0; count < trial.copies; count++) copies.push(stack.use(copyTree(trial.root)))
  const waiting = [...trial.faults]
  const times = new Map<string, Promise<number>>()
  const verdicts: Verdict[] = []
  async function work({ root }: Workspace): Promise<void> {
    for (let fault = waiting.shift(); fault && !trial.signal.aborted; fault = waiting.shift()) {
      const verdict = await tryFault(fault, { root, trial, times })
      if (trial.signal.aborted) return
      verdicts.push(verdict)
      trial.onVerdict(verdict)
    }
  }
  await Promise.all(copies.map(work))
  return verdicts
}

interface Attempt {
  /** The copy's. */
  readonly root: string
  readonly trial: Trial
  /** Milliseconds that stages take without a fault. */
  readonly times: Map<string, Promise<number>>
}

/** A fault that hangs tests, or makes them this much slower, is caught. */
const timeoutFactor = 3
/** Without a fault. */
const maxMs = 600_000

async function tryFault(fault: Fault, { root, trial, times }: Attempt): Promise<Verdict> {
  const { environment, signal, minTimeoutMs } = trial
  const stages = trial.stages.get(fault.file) ?? []
  if (stages.length === 0) return { fault, result: 'unreached' }
  const path = join(root, fault.file)
  const text = readFileSync(path, 'utf8')
  for (const files of stages) {
    const usualMs = await timeWithoutFault(files, { root, trial, times })
    const timeoutMs = minTimeoutMs + timeoutFactor * usualMs
    writeFileSync(path, applyEdit(fault, text))
    const ending = await runUntilFailure({ root, files, environment, timeoutMs, signal })
    writeFileSync(path, text)
    if (signal.aborted || ending.is !== 'passed') return { fault, result: 'caught', by: messageOf(ending) }
  }
  return { fault, result: 'survived' }
}

const messageOf = (ending: Ending) => (ending.is === 'failed' ? ending.by : 'the tests hang')

/** Measured when it is needed: most faults do not survive the first stage. */
function timeWithoutFault(files: Stage, { root, trial, times }: Attempt): Promise<number> {
  const key = files.join(' ')
  const known = times.get(key)
  if (known) return known
  const measured = measure(files, root, trial)
  times.set(key, measured)
  return measured
}

/** A test that fails once without a fault must not end an hour of work. */
async function measure(files: Stage, root: string, trial: Trial, triesLeft = 1): Promise<number> {
  const { environment, signal } = trial
  const startedAt = performance.now()
  const ending = await runUntilFailure({ root, files, environment, timeoutMs: maxMs, signal })
  if (ending.is === 'passed' || signal.aborted) return performance.now() - startedAt
  if (triesLeft === 0) throw new Error(`Tests fail without a fault: ${messageOf(ending)}`)
  return measure(files, root, trial, triesLeft - 1)
}
