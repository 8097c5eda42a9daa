import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { conclude, plain } from './report'
import { runTests, type TestRun } from './run-tests'

let root = ''
afterEach(() => rmSync(root, { recursive: true, force: true }))

const passing = "import { test } from 'bun:test'\ntest('passes', () => {})\n"
/** Fails at the given runs of all, counted in a file beside it. */
const failsAt = (...runs: number[]) => `
import { expect, test } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'
test('passes at times', () => {
  appendFileSync(import.meta.path + '.runs', '.')
  const run = readFileSync(import.meta.path + '.runs', 'utf8').length
  expect(${JSON.stringify(runs)}).not.toContain(run)
})
`

async function runOver(files: Record<string, string>, options: Partial<TestRun> = {}) {
  root = mkdtempSync(join(tmpdir(), 'tollgate-runner-'))
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text)
  const outcome = await runTests({
    root,
    files: Object.keys(files),
    environment: process.env,
    args: [],
    builds: Promise.resolve(),
    signal: new AbortController().signal,
    inCi: false,
    onSuite() {},
    ...options,
  })
  const { lines, exitCode } = conclude(outcome, plain)
  return { outcome, text: lines.join('\n'), lastLine: lines.at(-1), exitCode }
}

const runsOf = (path: string) => Bun.file(join(root, `${path}.runs`)).size

test('files of several kinds run in folders of their own, and the last line adds them up', async () => {
  const where =
    "import { expect, test } from 'bun:test'\ntest('runs', () => expect(process.cwd()).toEndWith('/console'))\n"
  const { lastLine, exitCode, outcome } = await runOver({
    'gateway/a.test.ts': passing,
    'contract/b.test.ts': passing,
    'console/src/c.test.ts': where,
  })
  expect(outcome.suites.map(({ file }) => file).sort()).toEqual([
    'console/src/c.test.ts',
    'contract/b.test.ts',
    'gateway/a.test.ts',
  ])
  expect([lastLine, exitCode]).toEqual(['3 passed, 0 failed', 0])
})

test('what starts the gateway waits until it is built, the rest does not', async () => {
  const builds = Promise.withResolvers<void>()
  const seen: string[] = []
  const { exitCode } = await runOver(
    { 'e2e/a.test.ts': passing, 'contract/b.test.ts': passing },
    {
      builds: builds.promise,
      onSuite({ file }) {
        seen.push(file)
        builds.resolve()
      },
    },
  )
  expect(seen).toEqual(['contract/b.test.ts', 'e2e/a.test.ts'])
  expect(exitCode).toBe(0)
})

test('a build that fails ends what runs beside it', async () => {
  const builds = Promise.withResolvers<void>()
  const hanging = `
import { test } from 'bun:test'
test('hangs', async () => {
  console.log('hanging')
  await new Promise(() => setInterval(() => {}, 1000))
})
`
  const run = runOver(
    { 'contract/a.test.ts': hanging, 'e2e/b.test.ts': passing },
    { builds: builds.promise, onOutput: () => builds.reject(new Error('It does not build')) },
  )
  expect(run).rejects.toThrow('It does not build')
})

test('a failure is told with its file, title and message, and a part of the tests prints to the standard output', async () => {
  const printed: string[] = []
  const failing =
    "import { expect, test } from 'bun:test'\nconsole.log('for a person')\ntest('two is one', () => expect(2).toBe(1))\n"
  const { text, lastLine, exitCode } = await runOver(
    { 'contract/a.test.ts': failing },
    { onOutput: (chunk) => printed.push(chunk) },
  )
  expect(text).toContain('FAILED  contract/a.test.ts > two is one')
  expect(text).toContain('Expected: 1')
  expect(printed.join('')).toBe('for a person\n')
  expect([lastLine, exitCode]).toEqual(['0 passed, 1 failed', 1])
})

test('a file that crashes its process fails, and those after it run in another', async () => {
  const crash = "import { test } from 'bun:test'\ntest('leaves', () => process.exit(3))\n"
  const { outcome, lastLine, text } = await runOver({
    'contract/a.test.ts': passing,
    'contract/b.test.ts': crash,
    'contract/c.test.ts': passing,
  })
  expect(outcome.suites.map(({ file, failures }) => [file, failures.length])).toEqual([
    ['contract/a.test.ts', 0],
    ['contract/b.test.ts', 1],
    ['contract/c.test.ts', 0],
  ])
  expect(text).toContain('The runner left with 3')
  expect(lastLine).toBe('2 passed, 1 failed')
})

test('a test that fails once in CI and then passes twice is named as flaky in a green run', async () => {
  const { text, lastLine, exitCode } = await runOver({ 'contract/a.test.ts': failsAt(1) }, { inCi: true })
  expect(text).toEndWith('\nFLAKY  contract/a.test.ts > passes at times\n1 passed, 0 failed')
  expect(text).toContain('FAILED ONCE  contract/a.test.ts > passes at times\n')
  expect([lastLine, exitCode]).toEqual(['1 passed, 0 failed', 0])
  expect(runsOf('contract/a.test.ts')).toBe(3)
})

test.each([
  ['fails again', [1, 2], 2],
  ['passes once and fails again', [1, 3], 3],
] as const)('a test that %s has failed in CI', async (_, failures, runs) => {
  const { text, lastLine, exitCode } = await runOver({ 'contract/a.test.ts': failsAt(...failures) }, { inCi: true })
  expect(text).toContain('FAILED  contract/a.test.ts > passes at times')
  expect(text).not.toContain('FLAKY')
  expect([lastLine, exitCode]).toEqual(['0 passed, 1 failed', 1])
  expect(runsOf('contract/a.test.ts')).toBe(runs)
})

test('tests are counted whatever the environment makes the runner print', async () => {
  const environment = { ...process.env, CLAUDECODE: '1', GITHUB_ACTIONS: 'true' }
  const { lastLine } = await runOver({ 'contract/a.test.ts': passing, 'contract/b.test.ts': passing }, { environment })
  expect(lastLine).toBe('2 passed, 0 failed')
})

test('a failed test is not run again outside of CI', async () => {
  const { lastLine } = await runOver({ 'contract/a.test.ts': failsAt(1) })
  expect(lastLine).toBe('0 passed, 1 failed')
  expect(runsOf('contract/a.test.ts')).toBe(1)
})

test('tests are not run again where many files fail', async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`contract/${at}.test.ts`, failsAt(1)]))
  const { lastLine } = await runOver(files, { inCi: true })
  expect(lastLine).toBe('0 passed, 6 failed')
  expect(runsOf('contract/0.test.ts')).toBe(1)
})

test('a skipped test is named, and counts as failed in CI', async () => {
  const skipping = "import { test } from 'bun:test'\ntest.skip('needs a server', () => {})\ntest('passes', () => {})\n"
  const files = { 'contract/a.test.ts': skipping, 'contract/b.test.ts': skipping }
  const here = await runOver(files)
  expect(here.text).toContain('needs a server: contract/a.test.ts and 1 more')
  expect([here.lastLine, here.exitCode]).toEqual(['2 passed, 0 failed', 0])
  const inCi = await runOver(files, { inCi: true })
  expect([inCi.lastLine, inCi.exitCode]).toEqual(['2 passed, 2 failed', 1])
})

test('a run of no test has failed', async () => {
  const { lastLine, exitCode } = await runOver({ 'contract/a.test.ts': passing }, { args: ['-t', 'no such title'] })
  expect([lastLine, exitCode]).toEqual(['0 passed, 0 failed', 1])
})

test('an interruption ends the processes, which have not failed, and starts no other', async () => {
  const interruption = new AbortController()
  const interrupting = `
import { test } from 'bun:test'
test('passes', () => {})
test('hangs', async () => {
  console.log('hanging')
  await new Promise(() => setInterval(() => {}, 1000))
})
`
  const { outcome, lastLine } = await runOver(
    { 'contract/a.test.ts': passing, 'contract/b.test.ts': interrupting, 'contract/c.test.ts': passing },
    { signal: interruption.signal, inCi: true, onOutput: () => interruption.abort() },
  )
  expect(outcome.suites.map(({ file }) => file)).toEqual(['contract/a.test.ts'])
  expect(lastLine).toBe('1 passed, 0 failed')
})
