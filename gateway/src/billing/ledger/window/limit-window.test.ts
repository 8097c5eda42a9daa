import { expect, test } from 'bun:test'

import { capacityOf } from './limit-window'

test.each([
  [10, 0, 10],
  [10, 15, 11],
  [3, 50, 4],
  [1, 99, 1],
])('a limit of %d with a grace of %d percent lets %d be drawn, rounded down', (limit, grace, capacity) => {
  expect(capacityOf(limit, grace)).toBe(capacity)
})
