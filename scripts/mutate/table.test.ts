import { expect, test } from 'bun:test'

import { withoutEquivalent } from './equivalent'
import { findFaults } from './find-faults'
import { sample } from './sample'
import { resultTable } from './table'
import type { Verdict } from './try-faults'

const [first, second] = findFaults('a/b.ts', 'f(a < b)\nf(c < d)\n').filter(({ kind }) => kind === 'comparison')
if (!first || !second) throw new Error('There are no faults')

test('the table shows what was not caught, with its line, and the shares of folders', () => {
  const verdicts: Verdict[] = [
    { fault: { ...second, file: 'c/d.ts' }, result: 'unreached' },
    { fault: first, result: 'survived' },
    { fault: second, result: 'caught', by: 'a test' },
  ]
  expect(resultTable(verdicts)).toEqual([
    '',
    'Not caught',
    'survived   a/b.ts:1  comparison\n      f(a < b)\n   => f(a <= b)',
    'unreached  c/d.ts:2  comparison\n      f(c < d)\n   => f(c <= d)',
    '',
    'caught  survived  unreached',
    '     1         1          0   50 %  a',
    '     0         0          1    0 %  c',
    '     1         1          1   33 %  all',
  ])
})

test('a fault that is known to be equivalent is not tried, and an entry that no fault matches any more is an error', () => {
  const entry = { file: 'a/b.ts', before: 'f(a < b)', after: 'f(a <= b)', reason: 'a is never b' }
  expect(withoutEquivalent([first, second], [entry])).toEqual([second])
  expect(() => withoutEquivalent([second], [entry])).toThrow('a/b.ts has no fault any more')
  expect(withoutEquivalent([{ ...second, file: 'other.ts' }], [entry])).toHaveLength(1)
})

test('a sample depends on its seed alone and keeps the order', () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  const chosen = sample(items, 10, 7)
  expect(chosen).toHaveLength(10)
  expect(chosen).toEqual(chosen.toSorted((one, other) => one - other))
  expect(sample(items, 10, 7)).toEqual(chosen)
  expect(sample(items, 10, 8)).not.toEqual(chosen)
})
