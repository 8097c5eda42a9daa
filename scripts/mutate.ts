import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'

import { withoutEquivalent } from './mutate/equivalent'
import { findFaults } from './mutate/find-faults'
import { sample } from './mutate/sample'
import { sourcesIn } from './mutate/sources'
import { faultLine, resultTable, verdictLine } from './mutate/table'
import { testsOf } from './mutate/tests-of'
import { tryFaults } from './mutate/try-faults'
import { startServices } from './test-services'

/**
 * Makes deliberate faults in the sources given, one at a time, in copies of the tree, and runs the tests that reach them until one fails.
 * What survives is a rule that no test knows.
 */
const usage = `bun run mutate PATH… [--sample N] [--seed S] [--seconds N] [--list]

  PATH       files or folders of sources
  --sample   tries N faults, chosen by the seed
  --seed     a number; the one of this run is printed
  --seconds  how far a fault is followed: to the nearest tests that take about N seconds (20)
  --list     prints the faults and tries none
`
const root = join(import.meta.dir, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    list: { type: 'boolean' },
  },
})
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

if (positionals.length === 0) {
  console.error(usage)
  process.exitCode = 1
} else await main()

async function main(): Promise<void> {
  const files = positionals.flatMap((path) => sourcesIn(root, relative(root, join(process.cwd(), path))))
  const all = withoutEquivalent(files.flatMap((file) => findFaults(file, readFileSync(join(root, file), 'utf8'))))
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
  const faults = values.sample === undefined ? all : sample(all, Number(values.sample), seed)
  console.log(`${faults.length} of ${all.length} faults in ${files.length} files, seed ${seed}`)
  if (values.list) {
    for (const fault of faults) console.log(faultLine(fault))
    return
  }
  await using services = await startServices()
  const verdicts = await tryFaults({
    root,
    faults,
    stages: testsOf(root, [...new Set(faults.map(({ file }) => file))], Number(values.seconds)),
    environment: { ...process.env, ...services.environment },
    copies: Math.min(availableParallelism(), faults.length),
    signal: interruption.signal,
    minTimeoutMs: 10_000,
    onVerdict: (verdict) => console.log(verdictLine(verdict)),
  })
  for (const line of resultTable(verdicts)) console.log(line)
  if (interruption.signal.aborted) process.exitCode = 130
}
