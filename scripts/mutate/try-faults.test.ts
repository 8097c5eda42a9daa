import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFaults } from './find-faults'
import { testsOf } from './tests-of'
import { tryFaults, type Trial, type Verdict } from './try-faults'

/** A package with a rule that is tested, one that is not, and one that tests reach over another file. */
const files = {
  'contract/src/price.ts': 'export const price = (count: number) => (count > 9 ? 2 * count : 3 * count)\n',
  'contract/src/price.test.ts': `
import { expect, test } from 'bun:test'
import { price } from './price'
test('ten and more are cheaper', () => {
  expect(price(9)).toBe(27)
  expect(price(10)).toBe(20)
})
`,
  'contract/src/sum.ts':
    "import { price } from './price'\nexport const sum = (a: number, b: number) => price(a) + price(b)\n",
  'contract/src/sum.test.ts': `
import { expect, test } from 'bun:test'
import { sum } from './sum'
test('prices add up', () => expect(sum(1, 0)).toBe(3))
`,
  'contract/src/name.ts': 'export const isName = (name: string) => name.length > 0\n',
  'contract/src/wait.ts':
    'export const times = (count: number) => { let sum = 0; while (sum < count) sum += 1; return sum }\n',
  'contract/src/wait.test.ts': `
import { expect, test } from 'bun:test'
import { times } from './wait'
test('counts up', () => expect(times(3)).toBe(3))
`,
}

let root = ''
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-made-up-'))
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function tryAll(
  paths: readonly string[],
  after: readonly string[] | 'all',
  options: Partial<Trial> = {},
): Promise<Verdict[]> {
  const faults = paths.flatMap((path) => findFaults(path, read(path)))
  return tryFaults({
    root,
    faults: faults.filter((fault) => after === 'all' || after.some((text) => fault.after.includes(text))),
    stages: testsOf(root, paths, 20),
    environment: process.env,
    copies: 1,
    signal: new AbortController().signal,
    minTimeoutMs: 60_000,
    onVerdict() {},
    ...options,
  })
}

const summary = (verdicts: readonly Verdict[]) => verdicts.map(({ fault, result, by }) => [fault.kind, result, by])

test('a fault that a test notices is caught, and the test named', async () => {
  expect(summary(await tryAll(['contract/src/price.ts'], ['count >= 9', 'count > 10']))).toEqual([
    ['comparison', 'caught', 'ten and more are cheaper'],
    ['off by one', 'caught', 'ten and more are cheaper'],
  ])
})

test('a fault that no test notices survives, and one that no test reaches is unreached', async () => {
  expect(
    summary(await tryAll(['contract/src/sum.ts', 'contract/src/name.ts'], ['price(a) - price(b)', 'length >= 0'])),
  ).toEqual([
    ['sign', 'survived', undefined],
    ['comparison', 'unreached', undefined],
  ])
})

test('a test that reaches a file over another one counts', async () => {
  rmSync(join(root, 'contract/src/price.test.ts'))
  expect(summary(await tryAll(['contract/src/price.ts'], ['4 * count']))).toEqual([
    ['off by one', 'caught', 'prices add up'],
  ])
})

test('a fault that hangs the tests is caught', async () => {
  expect(summary(await tryAll(['contract/src/wait.ts'], ['count) ; return'], { minTimeoutMs: 500 }))).toEqual([
    ['dropped statement', 'caught', 'the tests hang'],
  ])
})

test('the nearest tests come first', () => {
  expect(testsOf(root, ['contract/src/price.ts'], 0.4).get('contract/src/price.ts')).toEqual([
    ['contract/src/price.test.ts'],
  ])
})

test('the tree stays as it is, also while faults are tried and when that is interrupted', async () => {
  const interruption = new AbortController()
  const seen = new Set<string>()
  const verdicts = await tryAll(['contract/src/price.ts'], 'all', {
    signal: interruption.signal,
    onVerdict() {
      seen.add(read('contract/src/price.ts'))
      interruption.abort()
    },
  })
  expect(verdicts).toHaveLength(1)
  expect([...seen]).toEqual([files['contract/src/price.ts']])
  for (const [path, text] of Object.entries(files)) expect(read(path)).toBe(text)
})

test('a fault whose tests are interrupted has no verdict', async () => {
  const interruption = new AbortController()
  let runs = 0
  // Once without the fault, then with it.
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      if ((runs += 1) === 2) interruption.abort()
      return new Response()
    },
  })
  const calling = files['contract/src/price.test.ts'].replace(
    'expect(price(9))',
    `await fetch('${server.url.href}')\n  expect(price(9))`,
  )
  await Bun.write(join(root, 'contract/src/price.test.ts'), calling.replace("', () =>", "', async () =>"))
  expect(await tryAll(['contract/src/price.ts'], ['count >= 9'], { signal: interruption.signal })).toEqual([])
  expect(runs).toBe(2)
})

test('tests that fail without a fault are an error', async () => {
  await Bun.write(
    join(root, 'contract/src/price.test.ts'),
    "import { test } from 'bun:test'\nimport './price'\ntest('fails', () => { throw new Error('always') })\n",
  )
  expect(tryAll(['contract/src/price.ts'], ['count >= 9'])).rejects.toThrow('Tests fail without a fault: fails')
})

test('a runner that does not run is an error, and no fault is caught by it', async () => {
  await Bun.write(join(root, 'bunfig.toml'), '[test]\npreload = ["./gone.ts"]\n')
  expect(tryAll(['contract/src/price.ts'], ['count >= 9'])).rejects.toThrow('The runner failed, not a test')
})
