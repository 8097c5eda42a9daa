import { expect, test } from 'bun:test'

import { readOutput } from './test-output'

const printed = `
gateway/src/ledger/ledger.test.ts:
(pass) a balance > is spent once [0.31ms]
12 | expect(spent).toBe(1)
error: expect(received).toBe(expected)
(fail) a balance > is never spent twice [0.27ms]
(fail) a balance > waits [100.26ms]
  ^ this test timed out after 100ms.
(skip) a balance > on a far machine

2 tests failed:
(fail) a balance > is never spent twice [0.27ms]
(fail) a balance > waits [100.26ms]

 1 pass
 1 skip
 2 fail
`

test.each([1, 7, 10_000])('what failed is told with its file and its reason, read %d bytes at a time', (size) => {
  const output = readOutput()
  const bytes = new TextEncoder().encode(printed)
  for (let at = 0; at < bytes.length; at += size) output.read(bytes.subarray(at, at + size))
  const { failures, ...counts } = output.end(1)
  expect(counts).toEqual({ pass: 1, fail: 2, skip: 1 })
  expect(failures).toEqual([
    `gateway/src/ledger/ledger.test.ts:
12 | expect(spent).toBe(1)
error: expect(received).toBe(expected)
(fail) a balance > is never spent twice [0.27ms]`,
    `gateway/src/ledger/ledger.test.ts:
(fail) a balance > waits [100.26ms]
  ^ this test timed out after 100ms.`,
  ])
})

test('a run that dies without naming a test has failed, and its last words say why', () => {
  const output = readOutput()
  output.read(new TextEncoder().encode('(pass) one\nerror: out of memory\n'))
  const { fail, failures } = output.end(137)
  expect(fail).toBe(1)
  expect(failures.join()).toContain('left with 137')
  expect(failures.join()).toContain('out of memory')
})
