import { availableParallelism } from 'node:os'

import { kindOf, type Kind } from './kinds'
import { Queue, type Share } from './queue'
import type { Suite } from './read-output'
import type { Cost, Outcome } from './report'
import { runShare, type RunOptions, type RunResult } from './run-share'

export interface TestRun extends RunOptions {
  readonly files: readonly string[]
  /** Resolves when the gateway and its console are built; those who need neither begin before. */
  readonly builds: Promise<unknown>
  readonly inCi: boolean
}

/**
 * Most tests wait, for a database, a process or a page. By the times of all files, five processes leave two processors idle for 4 % of a run,
 * four for 13 %; seven lanes of fixed files left them idle for 28 %, as the longest ran alone at the end. `bun test --parallel` would close
 * what the tests of a process share after each file, the browser and its site: decision 0088.
 */
const processes = Math.min(availableParallelism() * 2 + 1, 16)

/** Where more files fail, something is broken: they are not run again. */
const maxFlakyFiles = 5

/** Runs test files, a few processes at a time. In CI those that failed are run again, alone, after the rest. */
export async function runTests(run: TestRun): Promise<Outcome> {
  const startedAt = performance.now()
  const suites = new Map<string, Suite>()
  const costs = new Map<string, Cost>()
  const onSuite = (suite: Suite) => {
    suites.set(suite.file, suite)
    run.onSuite(suite)
  }
  const runMeasuredShare = async (share: Share, options: RunOptions): Promise<RunResult> => {
    const began = performance.now()
    const result = await runShare(share, options)
    addCost(costs, share, { seconds: (performance.now() - began) / 1000, cpuSeconds: result.cpuSeconds })
    return result
  }

  await runSideBySide(run, (share, signal) => runMeasuredShare(share, { ...run, onSuite, signal }))
  const failed = [...suites.values()].filter(({ failures }) => failures.length > 0)
  const mayBeFlaky = run.inCi && failed.length <= maxFlakyFiles && !run.signal.aborted
  const flaky = mayBeFlaky
    ? await runAgain(
        failed,
        (file) => runMeasuredShare({ kind: kindOf(file), files: [file] }, { ...run, onSuite }),
        suites,
      )
    : []
  const seconds = (performance.now() - startedAt) / 1000
  return { suites: [...suites.values()], costs, flaky, mayNotSkip: run.inCi, seconds }
}

async function runSideBySide(
  { files, builds, signal }: TestRun,
  runOne: (share: Share, signal: AbortSignal) => Promise<RunResult>,
): Promise<void> {
  const queue = new Queue(files, processes)
  let isBuilt = false
  async function build(): Promise<void> {
    await builds
    isBuilt = true
  }
  const built = build()
  const isReady = ({ needsBuilds }: Kind) => isBuilt || !needsBuilds
  const end = new AbortController()
  const either = AbortSignal.any([signal, end.signal])
  async function work(index: number): Promise<void> {
    // The dearest files need the builds, which keep a processor busy meanwhile.
    if (index === 0) await built
    while (!either.aborted) {
      const share = queue.take(isReady)
      if (share) queue.add((await runOne(share, either)).left)
      else if (queue.isEmpty) return
      else await built
    }
  }
  const workers = Array.from({ length: processes }, (_, index) => work(index))
  try {
    await Promise.all([built, ...workers])
  } finally {
    // A build that fails ends what runs beside it.
    end.abort()
    await Promise.allSettled(workers)
  }
}

/**
 * Runs each file again, and once more where it passes: what passes twice in a row was flaky, anything else has failed. The last result of a
 * file is the one that counts. Returns the files that were flaky.
 */
async function runAgain(
  failed: readonly Suite[],
  runOne: (file: string) => Promise<unknown>,
  suites: ReadonlyMap<string, Suite>,
): Promise<Suite[]> {
  const flaky: Suite[] = []
  for (const suite of failed) {
    const passes = async () => {
      await runOne(suite.file)
      return suites.get(suite.file)?.failures.length === 0
    }
    if ((await passes()) && (await passes())) flaky.push(suite)
  }
  return flaky
}

function addCost(costs: Map<string, Cost>, { kind, files }: Share, { seconds, cpuSeconds }: Omit<Cost, 'files'>): void {
  const cost = costs.get(kind.name) ?? { files: 0, seconds: 0, cpuSeconds: 0 }
  costs.set(kind.name, {
    files: cost.files + files.length,
    seconds: cost.seconds + seconds,
    cpuSeconds: cost.cpuSeconds + cpuSeconds,
  })
}
