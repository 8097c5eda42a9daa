import { expect, test } from 'bun:test'

import { lastKnown } from './process-series'

test('a number that cannot be read keeps its last value', () => {
  const readers = [() => 7, () => fail(), () => 9]
  const read = lastKnown(() => (readers.shift() ?? fail)())
  expect([read(), read(), read()]).toEqual([7, 7, 9])
})

function fail(): never {
  throw new Error('EMFILE: too many open files')
}
