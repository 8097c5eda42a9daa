import { expect, test } from 'bun:test'

import { OutputReader, type Suite } from './read-output'

const files = ['src/ledger.test.ts', 'src/gone.test.ts', 'src/hold.test.ts']

const printed = `
src/ledger.test.ts:
(pass) a balance > is spent once [0.31ms]
12 | expect(spent).toBe(1)
error: expect(received).toBe(expected)
(fail) a balance > is never spent twice [2.27s]
(fail) a balance > waits [100.26ms]
  ^ this test timed out after 100ms.
(skip) a balance > on a far machine
(todo) a balance > on the moon

src/gone.test.ts:

# Unhandled error between tests
-------------------------------
error: Cannot find module './gone' from 'src/gone.test.ts'
-------------------------------


src/hold.test.ts:
[log] src/ledger.test.ts:
(pass) a hold is given back

2 tests failed:
(fail) a balance > is never spent twice [2.27s]
(fail) a balance > waits [100.26ms]

 2 pass
 1 skip
 2 fail
 1 error
Ran 5 tests across 3 files. [21.00ms]
`

function readAll(text: string, exitCode: number, size = text.length) {
  const suites: Suite[] = []
  let time = 0
  const reader = new OutputReader({ files, now: () => (time += 1000), onSuite: (suite) => suites.push(suite) })
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) reader.read(bytes.subarray(at, at + size))
  return { left: reader.end(exitCode), suites }
}

test.each([1, 7, 10_000])('output read %d bytes at a time tells what became of each file and test', (size) => {
  const { left, suites } = readAll(printed, 1, size)
  expect(left).toEqual([])
  expect(suites.map(({ file, tests }) => ({ file, tests }))).toEqual([
    {
      file: 'src/ledger.test.ts',
      tests: [
        { title: 'a balance > is spent once', outcome: 'pass', milliseconds: 0.31 },
        { title: 'a balance > is never spent twice', outcome: 'fail', milliseconds: 2270 },
        { title: 'a balance > waits', outcome: 'fail', milliseconds: 100.26 },
        { title: 'a balance > on a far machine', outcome: 'skip', milliseconds: 0 },
      ],
    },
    { file: 'src/gone.test.ts', tests: [] },
    { file: 'src/hold.test.ts', tests: [{ title: 'a hold is given back', outcome: 'pass', milliseconds: 0 }] },
  ])
  expect(suites.map(({ failures }) => failures)).toEqual([
    [
      {
        title: 'a balance > is never spent twice',
        message: '12 | expect(spent).toBe(1)\nerror: expect(received).toBe(expected)',
      },
      { title: 'a balance > waits', message: '  ^ this test timed out after 100ms.' },
    ],
    [{ message: expect.stringContaining("Cannot find module './gone'") }],
    [],
  ])
})

test('the time of a file runs from its name to the name of the next', () => {
  expect(readAll(printed, 1).suites.map(({ seconds }) => seconds)).toEqual([1, 1, 1])
})

test('all that a file printed is kept', () => {
  const { suites } = readAll(printed, 1)
  expect(suites[2]?.output).toBe('[log] src/ledger.test.ts:\n(pass) a hold is given back')
})

test('a run that dies fails the file it was in, with its last words, and tells which files it did not get to', () => {
  const { left, suites } = readAll('src/ledger.test.ts:\n(pass) one\nerror: out of memory\n', 137)
  expect(suites).toHaveLength(1)
  expect(suites[0]?.failures).toEqual([{ message: 'The runner left with 137:\nerror: out of memory' }])
  expect(left).toEqual(['src/gone.test.ts', 'src/hold.test.ts'])
})

test('the reason of a time-out belongs to the test before it, and to none where no test has failed', () => {
  const failures = '(fail) one\n(fail) two\n(fail) three [9ms]\n  ^ this test timed out after 9ms.\n'
  const { suites } = readAll(`src/ledger.test.ts:\n  ^ a caret\n(pass) zero\n${failures}\n 1 pass\n 3 fail\n`, 1)
  expect(suites[0]?.failures).toEqual([
    { title: 'one', message: '' },
    { title: 'two', message: '' },
    { title: 'three', message: '  ^ this test timed out after 9ms.' },
  ])
})

test('last words need no end of their line', () => {
  const { suites } = readAll('src/ledger.test.ts:\nSegmentation fault', 139)
  expect(suites[0]?.failures[0]?.message).toContain('Segmentation fault')
})

test('a run that dies before its first file fails all of them', () => {
  const { left, suites } = readAll('error: preload not found\n', 1)
  expect(left).toEqual([])
  expect(suites.map(({ file }) => file)).toEqual(files)
  for (const { failures } of suites) expect(failures[0]?.message).toContain('preload not found')
})

test('a run that ends badly although every test passed fails its last file', () => {
  const { suites } = readAll('src/hold.test.ts:\n(pass) one\n\n 1 pass\n 0 fail\n', 1)
  expect(suites[0]?.failures).toEqual([{ message: 'The runner left with 1:' }])
})

test('a run without a test of the name asked for has not failed', () => {
  const { left, suites } = readAll('src/hold.test.ts:\n\nerror: regex "x" matched 0 tests. Searched 1 file\n', 1)
  expect(left).toEqual([])
  expect(suites.map(({ failures }) => failures)).toEqual([[]])
})
