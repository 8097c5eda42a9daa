import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { buildConsole } from './build-console'
import { buildGateway } from './build-gateway'
import { changedPaths } from './imports/changed-paths'
import { SourceTree } from './imports/source-tree'
import { makeTemporaryFolder, startServices } from './test-services'
import { choiceLines, chooseTests } from './test/changed/choose'
import { allTestFiles, filesWith, kindOf } from './test/kinds'
import { conclude, paintAnsi, plain, suiteLines } from './test/report'
import { runTests } from './test/run-tests'

/**
 * Runs every test of the repository, those whose path contains one of the words given, or those that a change reaches, with a PostgreSQL and
 * a Redis of its own where the machine has them. What is missing is skipped by name; with CI set nothing may be skipped. The last line says
 * `N passed, N failed`.
 */
const root = join(import.meta.dir, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    verbose: { type: 'boolean' },
    'test-name-pattern': { type: 'string', short: 't' },
  },
})
const pattern = values['test-name-pattern']
const isPart = positionals.length > 0 && !values.changed
const paint = process.stdout.isTTY && !process.env['NO_COLOR'] ? paintAnsi : plain
/** Ends the runs; what follows stops the services, as after any other end. */
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort())

process.exitCode = await main()

async function main(): Promise<number> {
  const files = values.changed ? await changedTests(positionals[0]) : filesWith(positionals, allTestFiles(root))
  if (files.length === 0) return 0
  const kinds = new Set(files.map(kindOf))
  await using services = await startServices([...kinds].some(({ needsServices }) => needsServices))
  using temporary = makeTemporaryFolder()
  const needsBuilds = [...kinds].some((kind) => kind.needsBuilds)
  const outcome = await runTests({
    root,
    files,
    // Once, before two of them want it at the same time.
    builds: needsBuilds ? Promise.all([buildConsole(), buildGateway()]) : Promise.resolve(),
    environment: { ...process.env, ...services.environment, TMPDIR: temporary.path },
    args: pattern === undefined ? [] : ['--test-name-pattern', pattern],
    signal: interruption.signal,
    inCi: Boolean(process.env['CI']),
    onSuite(suite) {
      if (suite.tests.length === 0 && suite.failures.length === 0) return
      for (const line of suiteLines(suite, paint)) console.log(line)
      if (values.verbose && suite.output !== '') console.log(suite.output)
    },
    // A person who runs a part is looking for what it prints.
    onOutput: values.verbose || isPart ? (text) => process.stdout.write(text) : undefined,
  })
  const { lines, exitCode } = conclude(outcome, paint)
  const { aborted } = interruption.signal
  if (aborted) console.log('Interrupted')
  for (const line of lines) console.log(line)
  return aborted ? 130 : exitCode
}

/** Prints which tests a change reaches, and why, since a revision or since this branch left the main one. */
async function changedTests(revision?: string): Promise<string[]> {
  const changed = await changedPaths(root, revision)
  if (!changed) throw new Error(revision === undefined ? 'This is not a clone' : `There is no revision ${revision}`)
  const testFiles = allTestFiles(root)
  const importers = new SourceTree(root).importers(({ isType }) => !isType)
  const choices = chooseTests({ changed, testFiles, importers })
  for (const line of choiceLines(choices)) console.log(line)
  const chosen = new Set(choices.chosen.flatMap(({ files }) => files))
  // In the order of the whole run, beside the same neighbours.
  return testFiles.filter((file) => chosen.has(file))
}
