import { expect, test } from 'bun:test'

import { isUnusual } from './unusual'

test('an amount is unusual above a hundred times the largest that is usual, taken away as well as given', () => {
  expect([100, 100.01, -101].map((amount) => isUnusual(amount, 1))).toEqual([false, true, true])
  expect([isUnusual(500, 1, 5), isUnusual(501, 5, 1)]).toEqual([false, true])
})
