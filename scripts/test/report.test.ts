import { expect, test } from 'bun:test'

import type { Suite, TestResult } from './read-output'
import { conclude, paintAnsi, plain, suiteLines, type Outcome } from './report'

const aSuite = (fields: Partial<Suite> = {}): Suite => ({
  file: 'a.test.ts',
  tests: [aTest()],
  failures: [],
  seconds: 1.23,
  output: '',
  ...fields,
})
const aTest = (fields: Partial<TestResult> = {}): TestResult => ({
  title: 'a room > is clean',
  outcome: 'pass',
  milliseconds: 1,
  ...fields,
})
const textOf = (fields: Partial<Outcome>) =>
  conclude(
    { suites: [aSuite()], costs: new Map(), flaky: [], mayNotSkip: false, seconds: 9.6, ...fields },
    plain,
  ).lines.join('\n')

test('the line of a file has its tests and its time', () => {
  expect(suiteLines(aSuite(), plain)).toEqual(['ok    a.test.ts  1 test, 1.2 s'])
  const skipping = aSuite({ tests: [aTest(), aTest({ outcome: 'skip' })] })
  expect(suiteLines(skipping, plain)).toEqual(['skip  a.test.ts  2 tests, 1 skipped, 1.2 s'])
})

test('the titles of what failed stand below the line of their file', () => {
  const failures = [{ title: 'a room > is warm', message: 'cold' }, { message: 'no door' }]
  expect(suiteLines(aSuite({ failures }), plain)).toEqual([
    'FAIL  a.test.ts  2 of 1 failed, 1.2 s',
    '      a room > is warm',
    '      outside of any test',
  ])
})

test('colours are there for a terminal alone', () => {
  expect(suiteLines(aSuite(), paintAnsi).join()).toContain('\u001B[32mok')
  expect(suiteLines(aSuite(), plain).join()).not.toContain('\u001B')
})

test('the ten slowest tests are listed, slowest first, and no quick ones', () => {
  const slow = Array.from({ length: 12 }, (_, at) => aTest({ title: `test ${at}`, milliseconds: 1000 * (at + 1) }))
  const text = textOf({ suites: [aSuite({ tests: [...slow, aTest()] })] })
  expect(text.split('\n').filter((line) => line.includes('a.test.ts >'))).toHaveLength(10)
  expect(text).toContain('Slowest tests\n   12.0 s  a.test.ts > test 11\n   11.0 s  a.test.ts > test 10\n')
  expect(textOf({})).not.toContain('Slowest')
})

test('skipped tests are named where there are any, and fail the run in CI alone', () => {
  expect(textOf({ mayNotSkip: true })).not.toContain('kipped')
  const suites = [aSuite({ tests: [aTest(), aTest({ outcome: 'skip' })] })]
  expect(textOf({ suites })).toContain('Skipped\n  is clean: a.test.ts')
  expect(textOf({ suites })).not.toContain('CI')
  expect(textOf({ suites, mayNotSkip: true })).toContain(
    'Skipped tests, which CI does not allow: 1\n1 passed, 1 failed',
  )
})

test('the time of each kind of tests is listed beside its processor time', () => {
  const costs = new Map([['journeys', { files: 3, seconds: 12.34, cpuSeconds: 5.6 }]])
  expect(textOf({ costs })).toContain(
    'Time, and processor time; 10 s in all\n   12.3 s      5.6 s  journeys, 3 files\n',
  )
})
